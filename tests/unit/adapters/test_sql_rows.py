"""Rows of the hot paths become structs by the order of their columns alone."""

from redwell.adapters.sql_exhibits.settle_rows import Waiting
from redwell.adapters.sql_ledger.claim_rows import CLAIMABLE, Claimable
from redwell.adapters.sql_ledger.seals import INGESTION


def test_what_may_be_claimed_has_a_field_for_each_column_in_their_order() -> None:
    assert Claimable.__struct_fields__ == tuple(column.name for column in CLAIMABLE)


def test_what_waits_begins_with_what_its_seal_is_about() -> None:
    assert Waiting.__struct_fields__[: len(INGESTION)] == INGESTION
