"""Every few minutes: jobs that are durable and not done are queued again."""

from agent_memory.use_cases.sweep_outbox import sweep_outbox
from agent_memory.workers import scheduled

handler = scheduled(sweep_outbox)
