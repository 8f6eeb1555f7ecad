"""The documentation names what the code has: nothing goes undocumented, no link leads nowhere."""

import re
from pathlib import Path

import pytest
from tools import client_calls
from tools.reference import TABLES, filled

from redwell.core.exit_codes import ExitCode

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("examples/**/*.md")])
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    targets = [target.partition("#")[0] for target in _LINK.findall(page.read_text())]
    local = [target for target in targets if target and "://" not in target and not target.startswith("mailto:")]
    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_a_reference_table_says_what_the_code_says(page: Path) -> None:
    """Settings, outcomes, problems, events and formats; `make docs` writes them."""
    assert page.read_text() == filled(page.read_text()), "run `make docs`"


def test_every_reference_table_is_on_a_page() -> None:
    text = "".join(page.read_text() for page in DOCS.glob("*.md"))
    assert [name for name in TABLES if f"<!-- reference: {name} -->" not in text] == []


def test_every_exit_code_is_explained() -> None:
    page = (DOCS / "exit-codes.md").read_text()
    assert [code.name for code in ExitCode if f"| {code.value} | {code.name} |" not in page] == []


def test_every_decision_is_listed() -> None:
    listed = set(_LINK.findall((DOCS / "adr" / "README.md").read_text()))
    assert {path.name for path in (DOCS / "adr").glob("0*.md")} - listed == set()


def test_the_readme_shows_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text()
    assert "\nmake demo" in readme
    assert "\nmake test" in readme


def test_every_make_target_that_a_page_names_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {name for page in PAGES for name in re.findall(r"`make ([a-z-]+)[^`]*`|^make ([a-z-]+)", page.read_text())}
    assert {name for pair in named for name in pair if name} - targets == set()


def test_the_changelog_begins_with_what_is_not_released_yet() -> None:
    headings = re.findall(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"


def test_the_worked_example_is_the_code_that_runs() -> None:
    """Every Python block of CONTRIBUTING.md is taken from the example package, word for word."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    code = "".join(path.read_text() for path in sorted((ROOT / "examples" / "handler_vcard").rglob("*.py")))
    assert blocks
    assert [block for block in blocks if block not in code] == []


def test_the_client_has_a_method_for_each_operation_of_the_api() -> None:
    assert client_calls.TARGET.read_text() == client_calls.written(), "run make docs"
