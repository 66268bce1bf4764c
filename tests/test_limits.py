"""Limits of time and memory for all work, whatever it calls."""

from __future__ import annotations

import gc
import os
from io import BytesIO
from mmap import mmap
from threading import Thread

import pytest

from symkripke import process_memory
from symkripke.errors import InputError, NoAnswerWithin, OutOfMemory
from symkripke.limits import (
    Budget,
    Limit,
    current,
    look,
    need,
    read_bytes,
    read_text,
    within,
)


class World:
    """A clock and a memory that change only on demand."""

    now = 100.0
    held = 500


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    made = World()
    monkeypatch.setattr("symkripke.limits.time.monotonic", lambda: made.now)
    monkeypatch.setattr("symkripke.process_memory.resident", lambda: made.held)
    return made


def test_time_runs_out(world: World) -> None:
    look()
    with within():
        assert current() is None
    with within(seconds=3):
        look()
        world.now += 2.9
        look()
        world.now += 0.1
        for _ in range(2):
            with pytest.raises(NoAnswerWithin, match=r"^no answer within 3 seconds$"):
                look()
    look()
    with pytest.raises(RuntimeError), within(seconds=0):
        raise RuntimeError
    look()


def test_memory_runs_out(world: World) -> None:
    with within(memory=1_000):
        look()
        world.held = 1_001
        look()  # the last check was just now
        world.now += 0.1
        for _ in range(2):
            with pytest.raises(OutOfMemory, match=r"^no answer within 1 kB of memory$"):
                look()
        world.held = 900
        look()


def test_an_endless_file_is_not_read_forever(world: World) -> None:
    world.held = 0
    with open("/dev/zero", "rb") as endless, within(memory=20_000_000):
        with pytest.raises(OutOfMemory):
            read_bytes(endless)
        assert endless.tell() < 20_000_000
    # Text may start with a byte order mark, and have any line ends.
    assert read_text(BytesIO(b"\xef\xbb\xbfone\r\ntwo\rthree\n")) == "one\ntwo\nthree\n"
    with pytest.raises(UnicodeDecodeError):
        read_text(BytesIO(b"\xff\xfe\xfd"))


def test_the_tighter_limit_holds(world: World) -> None:
    with within(seconds=3, memory=1_000):
        with within(seconds=10, memory=2_000), within(memory=1_800):
            world.held = 1_500
            with pytest.raises(OutOfMemory, match="1 kB"):
                look()
            world.held = 0
            world.now += 4
            with pytest.raises(NoAnswerWithin, match="within 3 seconds"):
                look()
        with pytest.raises(NoAnswerWithin, match="within 3 seconds"):
            look()
    with within(seconds=10, memory=2_000), within(seconds=3), within(memory=600):
        world.held = 700
        with pytest.raises(OutOfMemory, match="600 bytes"):
            look()


def test_a_negative_limit_is_refused() -> None:
    for wrong in ({"seconds": -1}, {"seconds": float("nan")}, {"memory": -1}):
        with pytest.raises(InputError, match="0 or more"), within(**wrong):
            pass
    with pytest.raises(InputError, match="bytes of memory of 0 or more"):
        Budget(memory=-1)


def test_each_thread_has_its_own() -> None:
    found: list[Limit | None] = []
    with within(seconds=0):
        thread = Thread(target=lambda: found.append(current()))
        thread.start()
        thread.join()
    assert found == [None]


def test_remaining_time_and_memory(world: World) -> None:
    nothing = Limit(Budget())
    assert (nothing.seconds_left(), nothing.memory_left()) == (None, None)
    limit = Limit(Budget(seconds=5, memory=800))
    world.now += 2
    assert (limit.seconds_left(), limit.memory_left()) == (3, 300)
    world.now += 8
    world.held = 900
    assert (limit.seconds_left(), limit.memory_left()) == (0, 0)


def test_unreachable_objects_do_not_count() -> None:
    """Python frees objects in reference cycles late, and they may hold much memory."""
    gc.collect()
    process_memory.trim()
    gc.disable()
    try:
        with within(memory=process_memory.resident() + 50_000_000):
            held: list[object] = [bytearray(b"x") * 100_000_000]
            held.append(held)
            with pytest.raises(OutOfMemory):
                look()
            del held
            need(1_000_000)
            look()
            with pytest.raises(OutOfMemory):
                need(100_000_000)
    finally:
        gc.enable()


def test_the_memory_of_this_process_is_known() -> None:
    before = process_memory.resident()
    assert 10**6 < before < 10**11
    if os.path.exists("/proc/self/statm"):
        with mmap(-1, 50_000_000) as held:
            for place in range(0, 50_000_000, 1_000):
                held[place] = 1
            assert process_memory.resident() > before + 30_000_000
    assert process_memory.highest() >= 10**6
