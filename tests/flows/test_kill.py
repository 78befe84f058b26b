"""Nothing acknowledged is lost or doubled when the server is killed: `kill.py` as a test."""

from __future__ import annotations

import os
import random
from pathlib import Path

from tests.flows.kill import run, unit_faults

ROUNDS = int(os.environ.get("KILL_ROUNDS", "3"))  # CI runs ten


def test_kill_at_random_moments(tmp_path: Path) -> None:
    """After each restart every acknowledged message is listed once, its task completed, its unit there once."""
    rounds = list(run(tmp_path, ROUNDS, random.Random(2026)))
    assert [done.faults for done in rounds] == [[]] * ROUNDS
    sent = [each for done in rounds for each in done.sent]
    assert unit_faults(tmp_path, sent) == []
    assert sum(len(each.messages) for each in sent) > ROUNDS
