"""The OpenAPI document of the API, made from the code that answers, and a page to try it."""
