"""POST /ListMemoryTasks and /RetryMemoryTask."""

from agent_memory.http import endpoint
from agent_memory.requests.listings import ListMemoryTasksRequest, RetryMemoryTaskRequest
from agent_memory.use_cases.list_memory_tasks import list_memory_tasks
from agent_memory.use_cases.retry_memory_task import retry_memory_task

handler = endpoint(
    ListMemoryTasks=(ListMemoryTasksRequest, list_memory_tasks),
    RetryMemoryTask=(RetryMemoryTaskRequest, retry_memory_task),
)
