"""The grammar of jobs and workers: `cancel`, `parked`, `jobs`, `workers`, `worker`. Part of the grammar (parser.py)."""

import argparse
from re import fullmatch

from redwell.entrypoints.cli.grammar.command_shapes import (
    Commands,
    cased,
    number,
    plain,
    takes_settings,
)

PARKED = {
    "list": "contents on which every attempt failed",
    "show": "the same with all places where they occur, and each attempt that failed",
    "retry": "try them again",
}


def add_engine(commands: Commands) -> None:
    cancel = cased(commands, "cancel", "end an import at any moment; what was done stays", "scheduling.run_cancel")
    cancel.add_argument("batch", type=int, metavar="BATCH", help="which")
    parked = plain(commands, "parked", "contents on which every attempt failed", "")
    actions = parked.add_subparsers(metavar="ACTION", required=True, dest="action", help="list, show or retry")
    for name, help_ in PARKED.items():
        action = cased(actions, name, help_, "overview.run_parked")
        action.add_argument("ids", nargs="*", type=int, metavar="ID", help="only these; all when none is named")
        action.add_argument(
            "--posts",
            action="store_true",
            help="events that the webhook's endpoint refused, or was not there to hear, instead",
        )
        takes_settings(action)
    jobs = plain(commands, "jobs", "jobs of all cases, in the order they are served", "overview.run_jobs")
    jobs.add_argument("--case", metavar="CASE", help="only of this case")
    jobs.add_argument("--all", action="store_true", help="with those that have ended")
    workers = plain(commands, "workers", "who works, where, on what, since when", "overview.run_workers")
    workers.add_argument("--remove", metavar="SERVICE", help="forget a service that has no workers any more")
    workers.add_argument(
        "--check",
        metavar="SERVICE",
        help="see whether the jobs of a service have ended, and free it: for its scale-in alarm",
    )
    for command in (jobs, workers):
        command.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    worker = plain(
        commands,
        "worker",
        "serve all cases of this home, and those that other machines share, until told to stop",
        "scheduling.run_worker",
    )
    worker.add_argument("--cluster", action="store_true", help="end when there is nothing to do")
    worker.add_argument("--service", type=_service, metavar="ID", help="serve only the case that this service has")
    worker.add_argument(
        "--metrics-port",
        type=number(0, 65535),
        metavar="P",
        help="a page for Prometheus on 127.0.0.1 (0: a free port)",
    )
    worker.add_argument("--spot", action="store_true", help="take only what loses little when the machine goes away")
    takes_settings(worker)


def _service(text: str) -> str:
    if not fullmatch(r"[A-Za-z0-9._-]{1,80}", text):
        raise argparse.ArgumentTypeError(f"1 to 80 letters, digits, dots, dashes and underscores, not {text!r}")
    return text
