"""The command line's grammar, with worked examples in its help.

Each command is the name of a function, `module.function` of this package: only the chosen one's module is imported.
"""

import argparse
from collections.abc import Callable
from re import fullmatch
from typing import TypeAlias

from redwell import __version__
from redwell.core.jobs.priority import DEFAULT, LOWEST
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import BY_TURN
from redwell.entrypoints.cli.case_grammar import add_cases
from redwell.entrypoints.cli.config_grammar import add_config
from redwell.entrypoints.cli.events_grammar import add_events
from redwell.entrypoints.cli.loadfile_grammar import add_load_files, describe_overlay
from redwell.entrypoints.cli.production_grammar import add_productions
from redwell.entrypoints.cli.rendition_grammar import describe_get, describe_render
from redwell.entrypoints.cli.report_grammar import REPORT, describe_report
from redwell.entrypoints.cli.serve_parser import add_serving
from redwell.entrypoints.cli.understand_parser import add_understanding

EXAMPLES = """examples:
  redwell import ./evidence --case "Smith v Jones" --custodian "Ann Lee"
  redwell search --case "Smith v Jones" 'subject:merger AND "side letter" NOT draft*'
  redwell exceptions --case "Smith v Jones" --csv > exceptions.csv
  redwell resume --case "Smith v Jones"      goes on after Ctrl-C, a kill or a power cut
  redwell cancel --case "Smith v Jones" 2    ends batch 2; what was done stays
  redwell get --case "Smith v Jones" RW00000012 --pdf -o letter.pdf
  redwell verify --case "Smith v Jones"      proves that nothing is missing or changed
  redwell serve                              the review page, at http://127.0.0.1:8420

REDWELL_HOME names the data folder. Every setting: docs/settings.md, or `redwell doctor`."""

MOST_HITS = 1_000_000
PARKED = {
    "list": "contents on which every attempt failed",
    "show": "the same with all places where they occur, and each attempt that failed",
    "retry": "try them again",
}


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="redwell",
        description="Every file that goes in comes out: as a document or as a named exception.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"redwell {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _import(commands)
    _resume(commands)
    _retry(commands)
    _documents(commands)
    _search(commands)
    _terms(commands)
    _renditions(commands)
    for production in add_productions(commands, _command, _cased):
        _set(production)
    _simple(commands)
    for overlay in add_load_files(commands, _command, _cased):
        _set(overlay)
    _engine(commands)
    add_cases(commands, _command)
    add_events(commands, _command)
    add_config(commands, _command)
    add_serving(commands, _command, _number)
    add_understanding(commands, _command, _cased)
    return parser


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _command(commands: Commands, name: str, help_: str, call: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=help_, description=help_, allow_abbrev=False)
    command.set_defaults(command=call)
    return command


def _cased(commands: Commands, name: str, help_: str, call: str) -> argparse.ArgumentParser:
    command = _command(commands, name, help_, call)
    command.add_argument("--case", required=True, metavar="CASE", help="the case's name")
    command.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    return command


def _running(command: argparse.ArgumentParser) -> None:
    command.add_argument("--passwords", metavar="FILE", help="passwords to try, one a line")
    command.add_argument(
        "--until",
        choices=("searchable", "finished"),
        default="finished",
        help="return at this milestone; what is open then is left to resume or a worker",
    )
    _set(command)


def _set(command: argparse.ArgumentParser) -> None:
    command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")


def _number(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most}, not {text!r}")
        return int(text)

    return number


def _service(text: str) -> str:
    if not fullmatch(r"[A-Za-z0-9._-]{1,80}", text):
        raise argparse.ArgumentTypeError(f"1 to 80 letters, digits, dots, dashes and underscores, not {text!r}")
    return text


def _import(commands: Commands) -> None:
    command = _cased(commands, "import", "import files or folders into a case", "importing.run_import")
    command.add_argument("sources", nargs="+", metavar="SOURCE", help="a file, a folder or s3://bucket/prefix")
    kinds = ("files", "mailbox", "loadfile", "transcript", "manual")
    told = "mailbox and transcript refuse what is none, loadfile takes a volume with its load files, manual looks"
    command.add_argument("--type", choices=kinds, default="files", help=told)
    command.add_argument("--mapping", metavar="FILE", help="which column is which field, as `loadfile map` writes it")
    describe_overlay(command)
    command.add_argument("--custodian", metavar="NAME", help="whose data it is")
    command.add_argument("--nist", metavar="FILE", help="leave out loose files that this list of known files has")
    command.add_argument(
        "--priority",
        type=_number(0, LOWEST),
        default=DEFAULT,
        metavar="N",
        help=f"0 to {LOWEST}, lower first ({DEFAULT})",
    )
    command.add_argument(
        "--workers", type=_number(0, 10_000), default=0, metavar="N", help="workers at once, at most (0: any number)"
    )
    command.add_argument("--queue", action="store_true", help="only register it; `redwell worker` does the work")
    _running(command)


def _resume(commands: Commands) -> None:
    command = _cased(
        commands, "resume", "go on with what a kill, Ctrl-C or power cut left unfinished", "importing.run_resume"
    )
    command.add_argument("batch", nargs="?", type=int, metavar="BATCH", help="only this batch")
    _running(command)


def _retry(commands: Commands) -> None:
    command = _cased(
        commands,
        "retry",
        "read again what was chosen, in every place it occurs, and say what changed",
        "retrying.run_retry",
    )
    outcomes = [o.value for o in Outcome if o is not Outcome.CANCELLED]
    command.add_argument("--outcome", type=str.upper, choices=outcomes, metavar="X", help="what ended so")
    command.add_argument("--type", metavar="TYPE", help="of this media type; `image` stands for every image")
    command.add_argument("--handler", metavar="NAME", help="read by this handler; `zip/1` is one version of it")
    kinds = [task.value for task in BY_TURN]
    command.add_argument("--kind", choices=kinds, metavar="KIND", help="this kind of work, such as unpack-mailbox")
    command.add_argument("--outdated", action="store_true", help="what another version of a handler made")
    _running(command)


def _documents(commands: Commands) -> None:
    command = _cased(commands, "documents", "list every exhibit", "listing.run_documents")
    command.add_argument("--text", action="store_true", help="with the extracted text (--json)")
    command.add_argument(
        "--outcome", type=str.upper, choices=[o.value for o in Outcome], metavar="X", help="only these"
    )
    command.add_argument("--batch", type=int, metavar="B", help="only this batch")


def _search(commands: Commands) -> None:
    command = _cased(
        commands, "search", "find exhibits by words; docs/search.md has the language", "searching.run_search"
    )
    command.add_argument("query", metavar="QUERY", help='words, "phrases", AND OR NOT, a w/5 b, field:value, wild*')
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--limit", type=_number(1, MOST_HITS), default=20, metavar="N", help="hits to show (20)")
    shown.add_argument(
        "--all",
        action="store_true",
        help="every hit, as it is found; without snippets, by control number unless --sort",
    )
    command.add_argument(
        "--sort",
        metavar="FIELD",
        help="score (the best first), control_number, date, created, modified or size; date:desc is the newest first",
    )
    command.add_argument("--after", metavar="CURSOR", help="the hits that follow those of the page which ended with it")
    command.add_argument(
        "--families",
        action="store_true",
        help="a family is one document: all members are hits where some have the words",
    )
    command.add_argument("--explain", action="store_true", help="say how the query was understood; --json always does")


def _terms(commands: Commands) -> None:
    command = _cased(
        commands, "terms", "documents, families and unique hits of each query of a file", "searching.run_terms"
    )
    command.add_argument(
        "file", metavar="FILE", help="one query a line; empty lines and those that begin with # do not count"
    )
    command.add_argument("--csv", action="store_true", help="comma-separated, with a header")


def _renditions(commands: Commands) -> None:
    told = "make PDFs, page images and recognised text that are lacking"
    render = _cased(commands, "render", told, "rendering.run_render")
    describe_render(render)
    get = _command(commands, "get", "hand out one exhibit, or what was made of it", "rendering.run_get")
    get.add_argument("--case", required=True, metavar="CASE", help="the case's name")
    describe_get(get)
    for command in (render, get):
        _set(command)


def _simple(commands: Commands) -> None:
    _cased(commands, "verify", "prove that every input is accounted for and every byte is right", "listing.run_verify")
    exceptions = _cased(commands, "exceptions", "one line per problem, with its remedy", "listing.run_exceptions")
    forms = exceptions.add_mutually_exclusive_group()
    forms.add_argument(
        "--csv", action="store_true", help="comma-separated, with a header; no cell is a formula to a spreadsheet"
    )
    forms.add_argument("--csv-raw", action="store_true", help="the same for machines: every cell as it is")
    describe_report(_cased(commands, "report", REPORT, "reporting.run_report"))
    again = _cased(commands, "reindex", "make the search index anew from what is stored", "maintaining.run_reindex")
    again.add_argument(
        "--here",
        action="store_true",
        help="keep the case on this machine from now on; the one that did is gone for good",
    )
    near = _cased(commands, "near", "find documents whose texts are nearly the same", "maintaining.run_near")
    near.add_argument("--anew", action="store_true", help="compare all of them again, not only what came in since")
    garbage = _cased(
        commands,
        "gc",
        "remove stored bytes that no row points to, and queues of batches that are over",
        "maintaining.run_gc",
    )
    garbage.add_argument("--dry-run", action="store_true", help="only say what would go")
    nist = _command(commands, "nist", "make or look at a list of known files for import --nist", "known_files.run_nist")
    nist.add_argument("action", choices=("build", "info"), help="make one, or say what is in one")
    nist.add_argument(
        "files", nargs="+", metavar="FILE", help="RDSv3 databases, NSRLFile.txt or lists of MD5; for info a built list"
    )
    nist.add_argument("--output", metavar="FILE", default="known.nist", help="the list to make (known.nist)")
    nist.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    doctor = _command(commands, "doctor", "what this machine can do, and every setting", "doctoring.run_doctor")
    doctor.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    _set(doctor)


def _engine(commands: Commands) -> None:
    cancel = _cased(commands, "cancel", "end an import at any moment; what was done stays", "scheduling.run_cancel")
    cancel.add_argument("batch", type=int, metavar="BATCH", help="which")
    parked = _command(commands, "parked", "contents on which every attempt failed", "")
    actions = parked.add_subparsers(metavar="ACTION", required=True, dest="action", help="list, show or retry")
    for name, help_ in PARKED.items():
        action = _cased(actions, name, help_, "overview.run_parked")
        action.add_argument("ids", nargs="*", type=int, metavar="ID", help="only these; all when none is named")
        action.add_argument(
            "--posts",
            action="store_true",
            help="events that the webhook's endpoint refused, or was not there to hear, instead",
        )
        _set(action)
    jobs = _command(commands, "jobs", "jobs of all cases, in the order they are served", "overview.run_jobs")
    jobs.add_argument("--case", metavar="CASE", help="only of this case")
    jobs.add_argument("--all", action="store_true", help="with those that have ended")
    workers = _command(commands, "workers", "who works, where, on what, since when", "overview.run_workers")
    workers.add_argument("--remove", metavar="SERVICE", help="forget a service that has no workers any more")
    for command in (jobs, workers):
        command.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    worker = _command(
        commands,
        "worker",
        "serve all cases of this home, and those that other machines share, until told to stop",
        "scheduling.run_worker",
    )
    worker.add_argument("--cluster", action="store_true", help="end when there is nothing to do")
    worker.add_argument("--service", type=_service, metavar="ID", help="serve only the case that this service has")
    worker.add_argument(
        "--metrics-port",
        type=_number(0, 65535),
        metavar="P",
        help="a page for Prometheus on 127.0.0.1 (0: a free port)",
    )
    worker.add_argument("--spot", action="store_true", help="take only what loses little when the machine goes away")
    _set(worker)
