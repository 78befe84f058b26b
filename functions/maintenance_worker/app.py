"""The maintenance queue: what a deleted store leaves behind is removed."""

from agent_memory.use_cases.purge_memory_store import purge_memory_store
from agent_memory.workers import worker

handler = worker(purge_store=purge_memory_store)
