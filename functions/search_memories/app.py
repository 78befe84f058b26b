"""POST /SearchMemories."""

from agent_memory.http import endpoint
from agent_memory.requests.memories import SearchMemoriesRequest
from agent_memory.use_cases.search_memories import search_memories

handler = endpoint(SearchMemories=(SearchMemoriesRequest, search_memories))
