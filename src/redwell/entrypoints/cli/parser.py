"""The command line's grammar, with worked examples in its help.

Each command is the name of a function, `module.function` of this package: only the chosen one's module is imported.
"""

import argparse

from redwell import __version__
from redwell.core.jobs.priority import DEFAULT, LOWEST
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import BY_TURN
from redwell.entrypoints.cli.grammar.cases import add_cases
from redwell.entrypoints.cli.grammar.command_shapes import (
    Commands,
    cased,
    number,
    plain,
    takes_settings,
)
from redwell.entrypoints.cli.grammar.config import add_config
from redwell.entrypoints.cli.grammar.engine import add_engine
from redwell.entrypoints.cli.grammar.events import add_events
from redwell.entrypoints.cli.grammar.loadfiles import add_load_files, describe_overlay
from redwell.entrypoints.cli.grammar.productions import add_productions
from redwell.entrypoints.cli.grammar.renditions import describe_get, describe_render
from redwell.entrypoints.cli.grammar.reports import REPORT, describe_report
from redwell.entrypoints.cli.grammar.serving import add_serving
from redwell.entrypoints.cli.grammar.understanding import add_understanding

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
    for production in add_productions(commands, plain, cased):
        takes_settings(production)
    _simple(commands)
    for overlay in add_load_files(commands, plain, cased):
        takes_settings(overlay)
    add_engine(commands)
    add_cases(commands, plain)
    add_events(commands, plain)
    add_config(commands, plain)
    add_serving(commands, plain, number)
    add_understanding(commands, plain, cased)
    return parser


def _running(command: argparse.ArgumentParser) -> None:
    command.add_argument("--passwords", metavar="FILE", help="passwords to try, one a line")
    command.add_argument(
        "--until",
        choices=("searchable", "finished"),
        default="finished",
        help="return at this milestone; what is open then is left to resume or a worker",
    )
    takes_settings(command)


def _import(commands: Commands) -> None:
    command = cased(commands, "import", "import files or folders into a case", "importing.run_import")
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
        type=number(0, LOWEST),
        default=DEFAULT,
        metavar="N",
        help=f"0 to {LOWEST}, lower first ({DEFAULT})",
    )
    command.add_argument(
        "--workers",
        type=number(0, 10_000),
        default=0,
        metavar="N",
        help="workers at once, at most (0: any number)",
    )
    command.add_argument("--queue", action="store_true", help="only register it; `redwell worker` does the work")
    _running(command)


def _resume(commands: Commands) -> None:
    command = cased(
        commands, "resume", "go on with what a kill, Ctrl-C or power cut left unfinished", "importing.run_resume"
    )
    command.add_argument("batch", nargs="?", type=int, metavar="BATCH", help="only this batch")
    _running(command)


def _retry(commands: Commands) -> None:
    command = cased(
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
    command.add_argument(
        "--lacking", action="store_true", help="PDFs and recognitions for which a program was missing that is there now"
    )
    _running(command)


def _documents(commands: Commands) -> None:
    command = cased(commands, "documents", "list every exhibit", "listing.run_documents")
    command.add_argument("--text", action="store_true", help="with the extracted text (--json)")
    command.add_argument(
        "--outcome", type=str.upper, choices=[o.value for o in Outcome], metavar="X", help="only these"
    )
    command.add_argument("--batch", type=int, metavar="B", help="only this batch")


def _search(commands: Commands) -> None:
    command = cased(
        commands, "search", "find exhibits by words; docs/search.md has the language", "searching.run_search"
    )
    command.add_argument("query", metavar="QUERY", help='words, "phrases", AND OR NOT, a w/5 b, field:value, wild*')
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--limit", type=number(1, MOST_HITS), default=20, metavar="N", help="hits to show (20)")
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
    command = cased(
        commands, "terms", "documents, families and unique hits of each query of a file", "searching.run_terms"
    )
    command.add_argument(
        "file", metavar="FILE", help="one query a line; empty lines and those that begin with # do not count"
    )
    command.add_argument("--csv", action="store_true", help="comma-separated, with a header")


def _renditions(commands: Commands) -> None:
    told = "make PDFs, page images and recognised text that are lacking"
    render = cased(commands, "render", told, "rendering.run_render")
    describe_render(render)
    get = plain(commands, "get", "hand out one exhibit, or what was made of it", "rendering.run_get")
    get.add_argument("--case", required=True, metavar="CASE", help="the case's name")
    describe_get(get)
    for command in (render, get):
        takes_settings(command)


def _simple(commands: Commands) -> None:
    told = "prove that every input is accounted for and every byte is right"
    cased(commands, "verify", told, "listing.run_verify").add_argument(
        "--deep",
        action="store_true",
        help="read texts too: are inclusive mails and near duplicates what they are said to be",
    )
    exceptions = cased(commands, "exceptions", "one line per problem, with its remedy", "listing.run_exceptions")
    forms = exceptions.add_mutually_exclusive_group()
    forms.add_argument(
        "--csv", action="store_true", help="comma-separated, with a header; no cell is a formula to a spreadsheet"
    )
    forms.add_argument("--csv-raw", action="store_true", help="the same for machines: every cell as it is")
    describe_report(cased(commands, "report", REPORT, "reporting.run_report"))
    again = cased(commands, "reindex", "make the search index anew from what is stored", "maintaining.run_reindex")
    again.add_argument(
        "--here",
        action="store_true",
        help="keep the case on this machine from now on; the one that did is gone for good",
    )
    near = cased(commands, "near", "find documents whose texts are nearly the same", "maintaining.run_near")
    near.add_argument("--anew", action="store_true", help="compare all of them again, not only what came in since")
    garbage = cased(
        commands,
        "gc",
        "remove stored bytes that no row points to, and queues of batches that are over",
        "maintaining.run_gc",
    )
    garbage.add_argument("--dry-run", action="store_true", help="only say what would go")
    nist = plain(
        commands, "nist", "make or look at a list of known files for import --nist", "home.known_files.run_nist"
    )
    nist.add_argument("action", choices=("build", "info"), help="make one, or say what is in one")
    nist.add_argument(
        "files", nargs="+", metavar="FILE", help="RDSv3 databases, NSRLFile.txt or lists of MD5; for info a built list"
    )
    nist.add_argument("--output", metavar="FILE", default="known.nist", help="the list to make (known.nist)")
    nist.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    doctor = plain(commands, "doctor", "what this machine can do, and every setting", "home.doctoring.run_doctor")
    doctor.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    takes_settings(doctor)
