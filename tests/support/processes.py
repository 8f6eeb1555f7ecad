"""Servers of the tests must not outlive them."""

import ctypes
import signal

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """For `preexec_fn`: the kernel ends the process when the one that started it is gone."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)
