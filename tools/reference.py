"""Writes the tables of docs/ from the code, between `<!-- reference: NAME -->` and `<!-- end -->`.

Run by `make docs`; tests/docs fails when a table differs from the code.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
_BLOCK = re.compile(r"<!-- reference: (\w+) -->\n.*?<!-- end -->", re.DOTALL)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def settings() -> str:
    """The most usual first; figures have a table of their own."""
    from redwell.runtime.bootstrap.configuration.figures import Figures
    from redwell.runtime.bootstrap.settings import Settings

    bases = Settings.__mro__[: Settings.__mro__.index(Figures)]
    return _settings(key for base in bases for key in fields(base) if key.name in base.__annotations__)


def figures() -> str:
    from redwell.runtime.bootstrap.configuration.figures import Figures

    return _settings(fields(Figures))


def _settings(keys: Iterable[Field[Any]]) -> str:
    rows = [(f"`{k.name}`", "" if k.default == "" else f"`{k.default}`", k.metadata["doc"]) for k in keys]
    return table(["key", "default", "meaning"], rows)


def outcomes() -> str:
    from redwell.core.outcomes import Outcome
    from redwell.core.remedies import REMEDIES

    rows = [(f"`{o}`", REMEDIES[o].told("CASE", o) or "nothing; all is there") for o in Outcome]
    return table(["outcome", "what to do"], rows)


def problems() -> str:
    from redwell.core.outcomes import CODE_MEANINGS, Code

    return table(["problem", "meaning"], [(f"`{code}`", CODE_MEANINGS[code]) for code in Code])


def limits() -> str:
    from redwell.core.outcomes import Outcome
    from redwell.core.remedies import RAISED, raising

    return table(
        ["the reason names", "what to do"],
        [(f"`{name}`", raising(name).told("CASE", Outcome.PARTIAL)) for name in RAISED],
    )


def events() -> str:
    from redwell.core.events.event import EVENT_MEANINGS, EventType

    return table(["event", "meaning", "detail"], [(f"`{kind}`", *EVENT_MEANINGS[kind]) for kind in EventType])


def event_columns() -> str:
    from redwell.core.events.statuses import COLUMNS

    return table(["column", "type", "meaning"], [(f"`{c.name}`", c.type, c.says) for c in COLUMNS])


def event_queries() -> str:
    from redwell.core.events.status_queries import READY

    return table(["name", "what it tells"], [(f"`{name}`", query.says) for name, query in READY.items()])


def monitor_alarms() -> str:
    from redwell.core.events.monitor_alarms import RULES

    rows = [
        (f"`{alarm}`", rule.says, f"{'below' if rule.is_low else 'above'} {rule.limit:g}")
        for alarm, rule in RULES.items()
    ]
    return table(["alarm", "what is measured", "raised"], rows)


def event_fields() -> str:
    from redwell.core.events.event import EVENT_FIELDS

    return table(["key", "meaning"], [(f"`{key}`", meaning) for key, meaning in EVENT_FIELDS.items()])


def webhook_body() -> str:
    from redwell.core.events.webhooks import BODY_FIELDS

    return table(["key", "meaning"], [(f"`{key}`", meaning) for key, meaning in BODY_FIELDS.items()])


def webhook_statuses() -> str:
    from redwell.core.events.event import EventType, Status
    from redwell.core.events.webhooks import ALARM, FAILED, STATUSES

    rows = [(f"`{status}`", str(kind)) for kind, status in STATUSES.items()]
    failed = (f"`{FAILED}`", f"{EventType.JOB_FINISHED} with the status {Status.ERROR}")
    alarm = (f"`{ALARM}`", f"{EventType.WARNING} of the monitor, of batch 0")
    return table(["status", "event"], [*rows, failed, alarm])


def formats() -> str:
    from redwell.handlers.host.registry import load
    from redwell.runtime.bootstrap.handler_modules import BUILT_IN

    readers = [handler.spec for handler in load(BUILT_IN) if handler.spec.task is None]
    specs = sorted(readers, key=lambda spec: spec.name)
    rows = [(f"`{s.name}`", s.kind, ", ".join(f"`{kind}`" for kind in sorted(s.media_types))) for s in specs]
    return table(["handler", "kind", "media types"], rows)


def metadata_fields() -> str:
    from redwell.core.search.metadata_catalogue import FIELDS

    return table(["field", "meaning", "comes from"], [(f"`{name}`", *about) for name, about in FIELDS.items()])


def search_fields() -> str:
    from redwell.core.search.fields import FIELDS, META, FieldType

    by_type = {kind: [name for name, field in FIELDS.items() if field.type is kind] for kind in FieldType}
    rows = [(", ".join(f"`{name}`" for name in names), kind.value) for kind, names in by_type.items()]
    return table(["field", "matched by"], [*rows, (f"`{META}<name>`", "words of any other metadata")])


def date_fields() -> str:
    from redwell.core.search.metadata_catalogue import BESIDE_DATES

    return table(["ending", "meaning"], [(f"`{end}`", meaning) for end, meaning in BESIDE_DATES.items()])


def commands() -> str:
    """A section per command, in the order of `redwell --help`."""
    from redwell.entrypoints.cli.parser import build_parser

    return "\n".join(
        f"## {name}\n\n{_sentence(parser.description or '')}\n\n"
        + table(["argument", "meaning"], [_argument(action) for action in parser._actions if action.dest != "help"])
        for name, parser in _commands("redwell", build_parser())
    )


def _commands(name: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Those that can be called: a command with actions is named by them."""
    actions = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    if not actions:
        yield name, parser
    for group in actions:
        for word, action in group.choices.items():
            yield from _commands(f"{name} {word}", action)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _argument(action: argparse.Action) -> tuple[str, str]:
    value = action.metavar or (str(action.dest).upper() if action.nargs != 0 else "")
    if action.choices and not action.metavar:
        value = "|".join(map(str, action.choices))
    spelled = " ".join(part for part in (*action.option_strings[:1], str(value)) if part)
    return f"`{spelled}`", (action.help or "") + (" (required)" if action.option_strings and action.required else "")


def loadfile_rules() -> str:
    from redwell.core.loadfiles.rules import RULES

    return table(
        ["code", "severity", "meaning", "what to do"],
        [(f"`{code}`", rule.severity.value, rule.words, rule.remedy) for code, rule in RULES.items()],
    )


def loadfile_fields() -> str:
    from redwell.core.loadfiles.fields import FIELDS

    rows = [(f"`{name}`", each.kind.value, each.meaning, each.aliases) for name, each in FIELDS.items()]
    return table(["field", "holds", "meaning", "also called"], rows)


def loadfile_presets() -> str:
    """A row for each option, a column for each preset."""
    from redwell.core.loadfiles.formats.dialect import sign_name
    from redwell.core.loadfiles.presets import PRESETS, Layout

    def shown(layout: Layout, name: str) -> str:
        value = getattr(layout, name)
        if name == "dialect":
            return f"{sign_name(value.separator)}, {sign_name(value.qualifier)}"
        return ", ".join(value) if isinstance(value, tuple) else f"`{value}`" if isinstance(value, str) else str(value)

    rows = [(f"`{f.name}`", *(shown(layout, f.name) for layout in PRESETS.values())) for f in fields(Layout)]
    return table(["option", *PRESETS], rows)


def requirements() -> str:
    """A section for each part, after a line that counts."""
    from tools.requirements import PARTS, STATES, row
    from tools.requirements import requirements as told

    rows = told()
    counts = ", ".join(f"{sum(each.state == state for each in rows.values())} {state}" for state in STATES)
    heads = ["id", "what is asked for", "state", "what is missing", "tests"]
    return f"\n{counts}.\n" + "".join(
        f"\n## {part}. {title}\n\n" + table(heads, [row(name, rows[name]) for name in rows if name[0] == part])
        for part, title in PARTS.items()
    )


def conflicts() -> str:
    from redwell.core.production.conflicts import RULES

    rows = [
        (f"`{code}`", rule.meaning, "stops" if rule.blocks else "told", rule.remedy) for code, rule in RULES.items()
    ]
    return table(["code", "meaning", "", "what to do"], rows)


def volume_options() -> str:
    from redwell.core.production.volume_options import OPTIONS

    return table(["option", "meaning"], [(f"`{name}`", meaning) for name, meaning in OPTIONS.items()])


TABLES: dict[str, Callable[[], str]] = {
    "settings": settings,
    "figures": figures,
    "outcomes": outcomes,
    "problems": problems,
    "limits": limits,
    "events": events,
    "event_fields": event_fields,
    "event_columns": event_columns,
    "event_queries": event_queries,
    "monitor_alarms": monitor_alarms,
    "webhook_body": webhook_body,
    "webhook_statuses": webhook_statuses,
    "formats": formats,
    "commands": commands,
    "metadata_fields": metadata_fields,
    "date_fields": date_fields,
    "search_fields": search_fields,
    "loadfile_rules": loadfile_rules,
    "loadfile_fields": loadfile_fields,
    "loadfile_presets": loadfile_presets,
    "conflicts": conflicts,
    "volume_options": volume_options,
    "requirements": requirements,
}


def filled(page: str) -> str:
    """The page with each of its tables written anew."""
    return _BLOCK.sub(lambda m: f"<!-- reference: {m[1]} -->\n{TABLES[m[1]]()}<!-- end -->", page)


def main() -> int:
    for path in sorted(DOCS.glob("*.md")):
        page = path.read_text()
        if filled(page) != page:
            path.write_text(filled(page))
            print(f"wrote {path.relative_to(DOCS.parent)}", file=sys.stderr)
    from tools import client_calls

    return client_calls.main()


if __name__ == "__main__":
    sys.exit(main())
