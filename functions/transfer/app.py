"""POST /ExportMemoryStore, /ImportMemories."""

from agent_memory.http import endpoint
from agent_memory.requests.transfer import ExportMemoryStoreRequest, ImportMemoriesRequest
from agent_memory.use_cases.export_memory_store import export_memory_store
from agent_memory.use_cases.import_memories import import_memories

handler = endpoint(
    ExportMemoryStore=(ExportMemoryStoreRequest, export_memory_store),
    ImportMemories=(ImportMemoriesRequest, import_memories),
)
