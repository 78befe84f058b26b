"""What a person pastes to point each official client at a server (spec of the API, section 8)."""

from __future__ import annotations

from agent_memory.signin.new_keys import NewKey

REGION = "local"  # goes into version 4 signatures and nowhere else


def client_lines(endpoint: str, key: NewKey) -> list[str]:
    """Lines for an access key: Python, Node, and the environment of the official command line."""
    key_id, secret, instance = key.record.key_id, key.secret, key.record.instance
    environment = {
        "ENDPOINT": endpoint,
        "INSTANCE_NAME": instance,
        "REGION": REGION,
        "ACCESS_KEY_ID": key_id,
        "ACCESS_KEY_SECRET": secret,
    }
    exports = " ".join(f"TABLESTORE_{name}={value}" for name, value in environment.items())
    return [
        "PyPI tablestore:",
        f"  tablestore.OTSClient('{endpoint}', '{key_id}', '{secret}', '{instance}')",
        "PyPI tablestore-agent-storage:",
        f"  AgentStorageClient(access_key_id='{key_id}', access_key_secret='{secret}',",
        f"                     ots_endpoint='{endpoint}', ots_instance_name='{instance}')",
        "npm tablestore:",
        f"  new TableStore.Client({{accessKeyId: '{key_id}', secretAccessKey: '{secret}',",
        f"                         endpoint: '{endpoint}', instancename: '{instance}'}})",
        "npm @tablestore/tablestore-agent-cli:",
        f"  export {exports}",
    ]
