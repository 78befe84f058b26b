"""POST /ListMemoryStoreMessages."""

from agent_memory.http import endpoint
from agent_memory.requests.records import ListMemoryStoreMessagesRequest
from agent_memory.use_cases.list_memory_store_messages import list_memory_store_messages

handler = endpoint(ListMemoryStoreMessages=(ListMemoryStoreMessagesRequest, list_memory_store_messages))
