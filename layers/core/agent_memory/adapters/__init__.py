"""The outside world behind the ports; only `agent_memory.services` imports from here."""
