"""POST /DeleteScope, /DeleteMessages."""

from agent_memory.http import endpoint
from agent_memory.requests.deletion import DeleteMessagesRequest, DeleteScopeRequest
from agent_memory.use_cases.delete_messages import delete_messages
from agent_memory.use_cases.delete_scope import delete_scope

handler = endpoint(
    DeleteScope=(DeleteScopeRequest, delete_scope),
    DeleteMessages=(DeleteMessagesRequest, delete_messages),
)
