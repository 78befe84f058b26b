"""A store as lines of JSON: what an export writes, and what of it an import takes."""
