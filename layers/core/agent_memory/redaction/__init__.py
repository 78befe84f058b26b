"""Secrets in texts: where they stand, what is put in their place, and what a store does about them."""
