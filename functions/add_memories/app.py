"""POST /AddMemories."""

from agent_memory.http import endpoint
from agent_memory.requests.memories import AddMemoriesRequest
from agent_memory.use_cases.add_memories import add_memories

handler = endpoint(AddMemories=(AddMemoriesRequest, add_memories))
