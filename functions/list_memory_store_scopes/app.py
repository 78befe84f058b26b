"""POST /ListMemoryStoreScopes."""

from agent_memory.http import endpoint
from agent_memory.requests.records import ListMemoryStoreScopesRequest
from agent_memory.use_cases.list_memory_store_scopes import list_memory_store_scopes

handler = endpoint(ListMemoryStoreScopes=(ListMemoryStoreScopesRequest, list_memory_store_scopes))
