"""Rows of one statement that PostgreSQL is sent as a list for each column."""

from sqlalchemy import BigInteger, Column, LargeBinary, MetaData, String, Table, bindparam

from redwell.adapters.sql.prepared import Prepared, constant, insert_rows, new_values

table = Table(
    "thing", MetaData(), Column("id", BigInteger, primary_key=True), Column("name", String), Column("sum", LargeBinary)
)
by_id = table.update().where(table.c.id == bindparam("key"))
put = insert_rows(table, ["id", "name"])


def test_an_update_by_key_takes_its_rows_from_lists() -> None:
    arrays = Prepared(by_id.values(name=bindparam("new_name"), sum=bindparam("new_sum"))).text("postgresql").arrays
    assert arrays
    assert arrays.sql == (
        "UPDATE thing SET name=given.name, sum=given.sum"
        " FROM unnest(%(name)s::VARCHAR[], %(sum)s::BYTEA[], %(key)s::BIGINT[]) AS given(name, sum, key)"
        " WHERE thing.id = given.key"
    )
    rows = [{"key": 1, "name": "a", "sum": b"1"}, {"key": 2, "name": None, "sum": b"2"}]
    assert arrays.of(rows) == {"key": [1, 2], "name": ["a", None], "sum": [b"1", b"2"]}


def test_of_two_changes_of_one_row_the_later_one_holds_so_they_go_one_by_one() -> None:
    arrays = Prepared(by_id.values(new_values(["name"]))).text("postgresql").arrays
    assert arrays
    assert arrays.of([{"key": 1, "name": "a"}, {"key": 1, "name": "b"}]) is None


def test_an_update_that_asks_for_more_than_the_key_goes_row_by_row() -> None:
    asks = by_id.where(table.c.name == constant("a")).values(new_values(["sum"]))
    assert Prepared(asks).text("postgresql").arrays is None


def test_rows_that_may_replace_others_go_as_lists_unless_two_are_for_one_place() -> None:
    replacing = put.on_conflict_do_update(index_elements=["id"], set_={"name": put.excluded.name})
    arrays = Prepared(replacing).text("postgresql").arrays
    assert arrays
    assert arrays.sql.startswith("INSERT INTO thing (id, name) SELECT * FROM unnest(")
    assert arrays.sql.endswith(" ON CONFLICT (id) DO UPDATE SET name = excluded.name")
    assert arrays.of([{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]) == {"id": [1, 2], "name": ["a", "b"]}
    assert arrays.of([{"id": 1, "name": "a"}, {"id": 1, "name": "b"}]) is None


def test_rows_that_are_left_out_where_there_is_one_may_meet_each_other() -> None:
    arrays = Prepared(put.on_conflict_do_nothing()).text("postgresql").arrays
    assert arrays
    assert arrays.of([{"id": 1, "name": "a"}, {"id": 1, "name": "b"}]) == {"id": [1, 1], "name": ["a", "b"]}
