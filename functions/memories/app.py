"""POST /ListMemories, /GetMemory, /UpdateMemory, /DeleteMemory, /GetMemoryHistory."""

from agent_memory.http import endpoint
from agent_memory.requests.units import (
    DeleteMemoryRequest,
    GetMemoryHistoryRequest,
    ListMemoriesRequest,
    MemoryRequest,
    UpdateMemoryRequest,
)
from agent_memory.use_cases.delete_memory import delete_memory
from agent_memory.use_cases.get_memory import get_memory
from agent_memory.use_cases.get_memory_history import get_memory_history
from agent_memory.use_cases.list_memories import list_memories
from agent_memory.use_cases.update_memory import update_memory

handler = endpoint(
    ListMemories=(ListMemoriesRequest, list_memories),
    GetMemory=(MemoryRequest, get_memory),
    UpdateMemory=(UpdateMemoryRequest, update_memory),
    DeleteMemory=(DeleteMemoryRequest, delete_memory),
    GetMemoryHistory=(GetMemoryHistoryRequest, get_memory_history),
)
