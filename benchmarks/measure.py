"""One import in a process of its own, measured from inside: python -m benchmarks.measure SOURCE HOME.

Prints one JSON object. Start-up (interpreter, imports, opening the case) is reported apart.
"""

import time

BORN = time.monotonic()

import json  # noqa: E402
import resource  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

from redwell.core.jobs.job import NewJob  # noqa: E402
from redwell.runtime.bootstrap.open_case import open_case  # noqa: E402
from redwell.runtime.bootstrap.settings import load_settings  # noqa: E402
from redwell.runtime.upkeep import batches  # noqa: E402
from redwell.runtime.worker.batch_run import BatchRun  # noqa: E402
from redwell.runtime.worker.progress import Progress  # noqa: E402


def measure(source: str, home: Path) -> dict[str, object]:
    marks: list[tuple[float, int]] = []
    first_searchable = None
    with open_case(home, "bench", load_settings(["ocr=none"]), create=True) as case:
        started = time.monotonic()

        def tick(progress: Progress) -> None:
            nonlocal first_searchable
            marks.append((time.monotonic() - started, progress.done))
            if first_searchable is None and progress.indexed:
                first_searchable = time.monotonic() - started

        sources = batches.check_sources([source], str(home), case.settings.patience)
        batch = batches.begin(case, sources, "files", None, NewJob())
        finished = BatchRun(case, batch, on_tick=tick)()
        seconds = time.monotonic() - started
        assert finished
        documents = sum(case.rows.counts(batch).values())
    return {
        "startup_s": started - BORN,
        "seconds": seconds,
        "documents": documents,
        "first_searchable_s": first_searchable,
        "parent_mb": peak_mb(),
        "parent_cpu_s": sum(resource.getrusage(resource.RUSAGE_SELF)[:2]),
        "children_cpu_s": sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]),
        "marks": marks,
    }


def peak_mb() -> float:
    """Of this program: `ru_maxrss` remembers what the process was before, a copy of the benchmark's own."""
    [peak] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(peak.split()[1]) / 1024


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], Path(sys.argv[2]))))
