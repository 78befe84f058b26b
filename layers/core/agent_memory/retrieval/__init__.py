"""From a query to ranked units."""
