"""Random stories, compared with a product update that lists worlds and events, and shares no code.

In a story, events happen and questions are asked: announcements, changes, observations, unnoticed
actions, and plans; about facts, knowledge and belief, now and in the past (see `stories` and
`story_check` in `tests/support`). Some stories use the Python interface, and the others are problem
files.
"""

from __future__ import annotations

from multiprocessing import Pool

import click

from tests.soak.common import Found
from tests.support.story_check import Result, compare, shrunk


def _job(seed_and_kind: tuple[int, bool]) -> Result:
    seed, written = seed_and_kind
    return compare(seed, written=written)


@click.command()
@click.option("--stories", default=1_000, help="How many stories that are told in Python.")
@click.option("--files", default=500, help="How many problem files.")
@click.option("--seed", default=1, help="The first seed.")
@click.option("--workers", default=1, help="So many processes.")
@click.option("--shrink", default=1_000, help="How often to try a simpler story with a fault.")
def events(stories: int, files: int, seed: int, workers: int, shrink: int) -> Found:
    """Compare the answers of all engines to random stories with an oracle that lists all worlds.

    Prints a short story for each kind of fault.
    """
    found, kinds = Found(), set[tuple[str, str]]()
    jobs = [
        (seed + number, written)
        for written, most in ((False, stories), (True, files))
        for number in range(most)
    ]
    with Pool(workers) as pool:
        for result in pool.imap(_job, jobs):
            found.done += result.found
            for kind in result.faults.keys() - kinds:
                kinds.add(kind)
                least = shrunk(result, kind, shrink)
                told = "".join(f"\n  {name}: {what}" for name, what in least.told.items())
                way = ("--stories", "--files")[result.written]
                found.fault(f"{' '.join(kind)}: {way} 1 --seed {result.seed}{told}\n{least.text}")
    return found
