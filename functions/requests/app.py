"""POST /ListMemoryStoreRequests."""

from agent_memory.http import endpoint
from agent_memory.requests.listings import ListMemoryStoreRequestsRequest
from agent_memory.use_cases.list_memory_store_requests import list_memory_store_requests

handler = endpoint(ListMemoryStoreRequests=(ListMemoryStoreRequestsRequest, list_memory_store_requests))
