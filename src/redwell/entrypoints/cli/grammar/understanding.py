"""The grammar of `schema`, `model`, `understand`, `review`, `source` and `watch`. Part of parser.py."""

import argparse
from collections.abc import Callable
from typing import TypeAlias

from redwell.core.understanding.models import KINDS
from redwell.ports.sources import KINDS as SOURCES

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
NewCommand = Callable[[Commands, str, str, str], argparse.ArgumentParser]


def add_understanding(commands: Commands, command: NewCommand, cased: NewCommand) -> None:
    _schema(commands, command, cased)
    _source(commands, command, cased)
    _model(commands, command, cased)
    understand = cased(commands, "understand", "turn documents into data by the case's schemas", "understanding.run")
    understand.add_argument("numbers", nargs="*", metavar="NUMBER", help="only these documents")
    understand.add_argument("--query", default="", metavar="Q", help="only what this search finds")
    understand.add_argument("--schema", metavar="NAME", help="use this schema instead of choosing one")
    understand.add_argument("--again", action="store_true", help="also what was understood before")
    understand.add_argument("--queue", action="store_true", help="only ask: a worker does it")
    understand.add_argument("--slots", type=int, default=1, metavar="N", help="documents at once (1)")
    understand.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")
    review = command(commands, "review", "data that people have looked at, or have to", "")
    actions = review.add_subparsers(metavar="ACTION", required=True, dest="action", help="export or list")
    export = cased(actions, "export", "every document's data, one row each", "understanding.run_export")
    export.add_argument("--format", choices=("csv", "jsonl", "parquet"), default="csv", help="of the file (csv)")
    export.add_argument("--schema", metavar="NAME", help="only documents of this schema")
    export.add_argument("-o", dest="output", metavar="FILE", help="write it there; Parquet needs a file")
    cased(actions, "list", "how many documents are ready, in work, or wait for a person", "understanding.run_counts")


def _schema(commands: Commands, command: NewCommand, cased: NewCommand) -> None:
    schema = command(commands, "schema", "what is to be known of a kind of document", "")
    actions = schema.add_subparsers(metavar="ACTION", required=True, dest="action", help="add, list, show, test, eval")
    add = cased(actions, "add", "a schema, or a new version of one", "schemas.run_add")
    add.add_argument("file", metavar="FILE", help="a JSON Schema; docs/understanding.md says what it may hold")
    add.add_argument("--name", default="", metavar="NAME", help="instead of its title")
    cased(actions, "list", "the last version of each", "schemas.run_list")
    show = cased(actions, "show", "one of them", "schemas.run_show")
    show.add_argument("name", metavar="NAME", help="of the schema")
    show.add_argument("--version", type=int, metavar="N", help="an older one")
    test = cased(actions, "test", "what it gives of one document; nothing is kept", "schemas.run_test")
    test.add_argument("name", metavar="NAME|FILE", help="of the schema, or a file with one that is not added yet")
    test.add_argument("number", metavar="NUMBER", help="control number of the document")
    evaluate = cased(actions, "eval", "right, flagged and wrong by field, against known values", "schemas.run_eval")
    evaluate.add_argument("gold", metavar="GOLD", help='JSON lines: {"name" or "control_number": …, "data": {…}}')
    evaluate.add_argument("--schema", metavar="NAME", help="only documents of this schema")


def _model(commands: Commands, command: NewCommand, cased: NewCommand) -> None:
    model = command(commands, "model", "which language model a case uses; none unless one is chosen", "")
    actions = model.add_subparsers(metavar="ACTION", required=True, dest="action", help="choose or show")
    choose = cased(actions, "choose", "from now on, for this case", "schemas.run_choose")
    choose.add_argument("kind", choices=KINDS, help="how it is reached; none: rules alone")
    choose.add_argument("--name", default="", metavar="MODEL", help="as its server knows it")
    choose.add_argument("--file", default="", metavar="GGUF", help="of a model on this machine; it runs in a sandbox")
    choose.add_argument("--url", default="", metavar="URL", help="of the server")
    choose.add_argument("--key-variable", default="", metavar="VAR", help="environment variable that holds the key")
    choose.add_argument("--region", default="", metavar="R", help="of bedrock")
    choose.add_argument("--remote", action="store_true", help="the text of evidence may leave this machine")
    for name, told in (
        ("budget-tokens", "tokens that the case may use, in and out"),
        ("budget-cost", "millionths of the currency that the case may cost"),
        ("price-in", "millionths for a million tokens in"),
        ("price-out", "millionths for a million tokens out"),
        ("window-chars", "characters of a document that are sent at once"),
        ("image-pages", "pages that are sent as images with a question, at most; 0: text alone"),
    ):
        choose.add_argument(f"--{name}", type=int, default=None, metavar="N", help=told)
    cased(actions, "show", "the model of a case, and what it has cost", "schemas.run_show_model")


def _source(commands: Commands, command: NewCommand, cased: NewCommand) -> None:
    source = command(commands, "source", "where evidence comes from by itself", "")
    actions = source.add_subparsers(
        metavar="ACTION", required=True, dest="action", help="add, list, pause, resume, remove"
    )
    add = cased(
        actions,
        "add",
        "a folder, mailbox or bucket of mails to be watched, or a webhook",
        "sources.run_source",
    )
    add.add_argument("kind", choices=SOURCES, help="what it is")
    add.add_argument(
        "place",
        metavar="PLACE",
        help="a folder; USER@HOST[:PORT][/FOLDER] for imap, USER@DOMAIN[/LABEL] for gmail, s3://BUCKET/PREFIX for ses; "
        "a webhook's name",
    )
    add.add_argument("--password-variable", default="", metavar="VAR", help="environment variable with the password")
    add.add_argument("--secret-variable", default="", metavar="VAR", help="the same with a webhook's secret")
    add.add_argument(
        "--credentials-variable", default="", metavar="VAR", help="the same with the path of Google's JSON file (gmail)"
    )
    for name, told in (
        ("topic", "where Gmail tells of new mails (projects/P/topics/T): the mailbox's watch is kept up"),
        (
            "subscription",
            "what of that topic is pulled (projects/P/subscriptions/S); none: looked at every --poll seconds",
        ),
        ("endpoint", "instead of Google's own address (gmail)"),
    ):
        add.add_argument(f"--{name}", default="", metavar=name.upper(), help=told)
    add.add_argument("--plain", action="store_true", help="without TLS; only for a server on this machine")
    cased(actions, "list", "each with its state and its last arrival", "sources.run_source")
    for name, told in (
        ("pause", "take nothing from it for now"),
        ("resume", "take from it again"),
        ("remove", "take nothing from it any more; what it brought stays"),
    ):
        cased(actions, name, told, "sources.run_source").add_argument("source", type=int, metavar="ID", help="which")
    watch = cased(commands, "watch", "take what arrives, until Ctrl-C", "sources.run_watch")
    watch.add_argument("folder", nargs="?", metavar="FOLDER", help="this folder; all sources of the case when none")
    watch.add_argument("--once", action="store_true", help="only what is there now")
    watch.add_argument("--poll", type=float, default=30.0, metavar="S", help="seconds between two looks (30)")
    watch.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")
