"""POST /CreateMemoryStore, /GetMemoryStore, /ListMemoryStores, /UpdateMemoryStore, /DeleteMemoryStore."""

from agent_memory.http import endpoint
from agent_memory.requests.stores import (
    CreateMemoryStoreRequest,
    ListMemoryStoresRequest,
    StoreRequest,
    UpdateMemoryStoreRequest,
)
from agent_memory.use_cases.create_memory_store import create_memory_store
from agent_memory.use_cases.delete_memory_store import delete_memory_store
from agent_memory.use_cases.get_memory_store import get_memory_store
from agent_memory.use_cases.list_memory_stores import list_memory_stores
from agent_memory.use_cases.update_memory_store import update_memory_store

handler = endpoint(
    CreateMemoryStore=(CreateMemoryStoreRequest, create_memory_store),
    GetMemoryStore=(StoreRequest, get_memory_store),
    ListMemoryStores=(ListMemoryStoresRequest, list_memory_stores),
    UpdateMemoryStore=(UpdateMemoryStoreRequest, update_memory_store),
    DeleteMemoryStore=(StoreRequest, delete_memory_store),
)
