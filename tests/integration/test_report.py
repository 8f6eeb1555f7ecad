"""The processing report of a made-up case: it balances, its appendices are what their hashes say, it can be printed."""

import csv
import hashlib
import io
import json
from pathlib import Path

import pypdfium2
import pytest
from tests.support.cases import Item, Lost, imported, opened
from tests.support.product import ask

from redwell.core.outcomes import Outcome
from redwell.runtime.monitor.run_facts import typed

CASE = ("--case", "Smith v Jones")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("report")
    with opened(home, create=True) as case:
        letter = Item("letter <i>.txt", b"a letter", "a letter")
        box = Item("box.zip", b"box", members=(letter, Lost("lost.txt")))
        imported(case, [letter, box, Item("locked.pdf", b"locked", outcome=Outcome.PASSWORD_PROTECTED)])
        imported(case, [letter, Lost("gone.txt")], "Bob Ray")
    return home


def account(home: Path, *more: str) -> dict[str, object]:
    run = ask(home, "report", *CASE, "--json", *more)
    assert run.returncode == 0, run.stderr
    return dict(json.loads(run.stdout))


def test_the_account_of_the_case_and_of_each_batch_balances_to_the_last_item(home: Path) -> None:
    told = json.loads(ask(home, "report", *CASE, "--json").stdout)
    listed = [json.loads(line) for line in ask(home, "documents", *CASE, "--json").stdout.splitlines()]
    assert told["balanced"] and told["verification"]["in_order"]
    assert told["totals"]["items"] == len(listed) == sum(batch["totals"]["items"] for batch in told["batches"])
    assert told["totals"]["bytes"] == sum(row["size"] or 0 for row in listed)
    assert {line["custodian"] for line in told["totals"]["by_custodian"]} == {"Ann Lee", "Bob Ray"}
    assert told["made"]["by"] and told["made"]["host"] and told["made"]["at"].endswith("+00:00")


def test_appendices_are_what_their_hashes_say_and_list_every_item(home: Path, tmp_path: Path) -> None:
    told = json.loads(ask(home, "report", *CASE, "--json", "--appendices", str(tmp_path / "new")).stdout)
    for each in told["appendices"]:
        assert hashlib.sha256((tmp_path / "new" / each["name"]).read_bytes()).hexdigest() == each["sha256"]
    assert told["appendices"] == account(home)["appendices"]  # the same where nothing is written
    manifest = list(csv.DictReader(io.StringIO((tmp_path / "new" / "manifest.csv").read_text())))
    assert len(manifest) == told["totals"]["items"]
    numbers = {row["control_number"] for row in manifest}
    copies = [row for row in manifest if row["became"] == "duplicate"]
    assert copies and all(row["duplicate_of"] in numbers for row in copies)


def test_a_report_of_one_batch_has_its_items_alone_and_of_no_batch_says_so(home: Path) -> None:
    told = json.loads(ask(home, "report", *CASE, "--json", "--batch", "2").stdout)
    assert [batch["batch"] for batch in told["batches"]] == [2] and told["totals"]["items"] == 2
    assert ask(home, "report", *CASE, "--batch", "9").returncode == 3


def test_the_page_and_the_pdf_have_the_figures_and_the_exceptions(home: Path, tmp_path: Path) -> None:
    page, pdf = tmp_path / "r.html", tmp_path / "r.pdf"
    run = ask(home, "report", *CASE, "--html", str(page), "--pdf", str(pdf), "--verify")
    assert run.returncode == 0 and run.stdout == ""
    with pypdfium2.PdfDocument(pdf.read_bytes()) as opened_pdf:
        text = "".join(each.get_textpage().get_text_bounded() for each in opened_pdf)
    for words in ("Processing report: Smith v Jones", "locked.pdf", "Appendix A", "Bob Ray"):
        assert words in text and words in page.read_text()
    assert "<i>" not in page.read_text()


def test_settings_that_nobody_chose_stand_once_in_an_appendix_and_copies_are_told_as_what_they_became(
    home: Path,
) -> None:
    told, text = account(home), ask(home, "report", *CASE).stdout
    chosen, _, defaults = text.partition("Appendix B: settings as by default")
    assert "index_documents" in defaults and "index_documents" not in chosen
    assert chosen.count("are as by default (appendix B)") == len(told["batches"])  # type: ignore[arg-type]
    assert "Copies of others: 1\n" in text


def test_a_report_that_cannot_be_written_says_why(home: Path, tmp_path: Path) -> None:
    run = ask(home, "report", *CASE, "--pdf", str(tmp_path / "none" / "r.pdf"))
    assert run.returncode == 2 and "No such file" in run.stderr
    (tmp_path / "file").write_text("")
    assert ask(home, "report", *CASE, "--appendices", str(tmp_path / "file")).returncode == 2


def test_a_duplicate_says_of_which_in_the_plain_listing(home: Path) -> None:
    [line] = [line for line in ask(home, "documents", *CASE, "--batch", "2").stdout.splitlines() if "duplicate" in line]
    assert line.endswith("duplicate of RW00000004")  # by its path, box.zip//letter, the first of the three


def test_the_command_that_is_kept_has_no_secret_in_it() -> None:
    secret = [
        "import",
        "a b",
        "--set",
        "database=postgresql://u:pw@h/d",
        "--set=webhook_secret=pw",
        "--set",
        "pdf=lazy",
    ]
    assert typed(secret) == ("redwell import 'a b' --set 'database=***' '--set=webhook_secret=***' --set pdf=lazy")
