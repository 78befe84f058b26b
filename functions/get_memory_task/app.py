"""POST /GetMemoryTask."""

from agent_memory.http import endpoint
from agent_memory.requests.records import GetMemoryTaskRequest
from agent_memory.use_cases.get_memory_task import get_memory_task

handler = endpoint(GetMemoryTask=(GetMemoryTaskRequest, get_memory_task))
