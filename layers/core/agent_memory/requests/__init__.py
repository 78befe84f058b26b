"""What each operation accepts: one model per request body, strict, unknown fields refused.

A field of null counts as absent. Sources: spec of the API, sections 2 to 5; limits as written there.
"""
