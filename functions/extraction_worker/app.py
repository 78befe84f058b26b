"""The extraction queue: messages become memory units."""

from agent_memory.use_cases.extract_memories import extract_memories
from agent_memory.workers import worker

handler = worker(extract=extract_memories)
