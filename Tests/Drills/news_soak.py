"""The drill `news` for so many minutes instead of rounds, by hand: what is seldom shows in an hour."""

import itertools
import time

from news import BREAKS, drill

FULL = 60


def run(minutes: int) -> None:
    end = time.monotonic() + minutes * 60
    drill(itertools.takewhile(lambda _: time.monotonic() < end, itertools.cycle(BREAKS)))
