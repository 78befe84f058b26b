"""Agent Memory: short-term messages, long-term memories, search and background consolidation for AI agents."""
