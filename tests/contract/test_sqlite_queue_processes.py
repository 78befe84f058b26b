"""The queue file shared by several processes, and after one of them was killed."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from agent_memory.jobs import decode
from agent_memory.ports import Job

from .queue_process import open_queue

EXTRACTION = "extraction"
PROCESS = Path(__file__).with_name("queue_process.py")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file that they share."""
    return tmp_path / "jobs.sqlite3"


def test_two_processes_never_get_the_same_delivery(path: Path) -> None:
    """Each job goes to one of two consumers, once."""
    queue = open_queue(str(path))
    for number in range(60):
        queue.send(Job("extract", f"任务-{number}", f"会话-{number % 6}"))
    queue.close()
    consumers = [start("consume", path) for _ in range(2)]
    try:
        for consumer in consumers:
            assert read_line(consumer) == "ready"
        outputs = [consumer.communicate(timeout=60)[0].splitlines() for consumer in together(consumers)]
    finally:
        for consumer in consumers:
            consumer.kill()
            consumer.wait()
    taken = [tuple(line.split()) for lines in outputs for line in lines]
    assert [attempts for _, _, attempts in taken] == ["1"] * 60
    assert len({message_id for _, message_id, _ in taken}) == 60
    for lines in outputs:
        assert all(in_order(numbers) for numbers in by_group(lines).values())


def test_a_killed_sender_loses_no_sent_job(path: Path) -> None:
    """Killed with -9 in the middle of sending: each job whose send returned is in the queue, whole and in order."""
    sender = start("send", path)
    try:
        told = [read_line(sender) for _ in range(25)]
    finally:
        sender.kill()
    told += sender.communicate(timeout=60)[0].splitlines()
    queue = open_queue(str(path))
    found: list[str] = []
    while deliveries := queue.receive(EXTRACTION, 10):
        found += [decode(one.body).job_id for one in deliveries]
        for one in deliveries:
            queue.acknowledge(one)
    queue.close()
    assert found[: len(told)] == told
    assert len(found) - len(told) <= 1


def start(task: str, path: Path) -> subprocess.Popen[str]:
    """A process of its own on the queue file."""
    command = [sys.executable, "-X", "utf8", str(PROCESS), task, str(path)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def together(consumers: list[subprocess.Popen[str]]) -> list[subprocess.Popen[str]]:
    """The consumers, all let go before the first is waited for."""
    for consumer in consumers:
        assert consumer.stdin is not None
        consumer.stdin.write("go\n")
        consumer.stdin.flush()
    return consumers


def read_line(process: subprocess.Popen[str]) -> str:
    """The next line of output, empty when the process has ended."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def by_group(lines: list[str]) -> dict[str, list[int]]:
    """The running numbers of the messages that one consumer got, by group, in the order of its output."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for line in lines:
        group, message_id, _ = line.split()
        numbers[group].append(int(message_id.rpartition("-")[2]))
    return numbers


def in_order(numbers: list[int]) -> bool:
    """Whether the numbers only grow."""
    return numbers == sorted(numbers)
