"""The maintenance queue: what was deleted is removed."""

from agent_memory.use_cases.purge_memory_store import purge_memory_store
from agent_memory.use_cases.purge_messages import purge_messages
from agent_memory.use_cases.purge_scope import purge_scope
from agent_memory.workers import worker

handler = worker(purge_store=purge_memory_store, purge_scope=purge_scope, purge_messages=purge_messages)
