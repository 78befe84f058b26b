"""The index queue: what is searched is stored for those who load it."""

from agent_memory.use_cases.snapshot_index import snapshot_index
from agent_memory.workers import worker

handler = worker(snapshot=snapshot_index)
