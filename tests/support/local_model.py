"""A real, small language model for tests: its file, and llama.cpp's own server with it on this machine.

As a program, it serves: `python -m tests.support.local_model FILE` prints its address and ends with its input.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.model import SMALL, assembled

ROOT = Path(__file__).resolve().parents[2]


def small_model() -> Path:
    """Made once, by `make setup` or here."""
    return assembled(SMALL)


@contextmanager
def served() -> Iterator[str]:
    """The URL of its OpenAI-compatible API."""
    command = [sys.executable, "-m", "tests.support.local_model", str(small_model())]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin and process.stdout
        try:
            yield f"{process.stdout.readline().strip()}/v1"
        finally:
            process.stdin.close()
            process.kill()


def serve(file: str) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel = file, 2048, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup, params.hostnames = False, ["127.0.0.1"]
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(sys.argv[1])
