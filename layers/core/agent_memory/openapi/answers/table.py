"""What each operation answers with status 200. One that is not listed answers some object.

The tests compare answers of the service with this.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from agent_memory.openapi.answers.conversations import Added, Messages, Scopes
from agent_memory.openapi.answers.deletion import MessageDeletion, ScopeDeletion
from agent_memory.openapi.answers.memories import DeletedMemory, History, Memories, OneMemory, UpdatedMemory
from agent_memory.openapi.answers.records import Calls, OneTask, Tasks
from agent_memory.openapi.answers.search import Results
from agent_memory.openapi.answers.stores import DeletedStore, Store, Stores
from agent_memory.openapi.answers.transfer import Exported, Imported

ANSWERS: Mapping[str, Any] = MappingProxyType(
    {
        "CreateMemoryStore": Store,
        "GetMemoryStore": Store,
        "ListMemoryStores": Stores,
        "UpdateMemoryStore": Store,
        "DeleteMemoryStore": DeletedStore,
        "AddMemories": Added,
        "SearchMemories": Results,
        "ListMemories": Memories,
        "GetMemory": OneMemory,
        "UpdateMemory": UpdatedMemory,
        "DeleteMemory": DeletedMemory,
        "GetMemoryHistory": History,
        "GetMemoryTask": OneTask,
        "ListMemoryTasks": Tasks,
        "RetryMemoryTask": OneTask,
        "ListMemoryStoreMessages": Messages,
        "DeleteMessages": MessageDeletion,
        "ListMemoryStoreScopes": Scopes,
        "DeleteScope": ScopeDeletion,
        "ListMemoryStoreRequests": Calls,
        "ExportMemoryStore": Exported,
        "ImportMemories": Imported,
    }
)
SOME_OBJECT = dict[str, Any]
