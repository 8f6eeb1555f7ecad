"""How long services of others are waited for, and how often they are asked (SPEC A4, D4, D12). Pure values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """With a service of a cloud."""

    connect_s: int = 10
    read_s: int = 30  # between two bytes
    tries: int = 5


USUAL = Patience()


@dataclass(frozen=True, slots=True)
class Pool:
    """Connections to a database that a process keeps for each case it works on."""

    kept: int = 5
    more: int = 5  # while many are wanted at once
    wait_s: int = 60  # for one of them
    life_s: int = 1800


USUAL_POOL = Pool()
