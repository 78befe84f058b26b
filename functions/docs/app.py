"""GET /openapi.json, GET /docs."""

from agent_memory.openapi.pages import pages

handler = pages()
