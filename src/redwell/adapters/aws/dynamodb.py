"""The worker registry in a DynamoDB table. Used by whoever starts, ends or rotates jobs.

Items: `service#ID`, a row each, and `case#N`, which names the service that has the case. Both change in one
transaction, so a case never has two.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError

from redwell.adapters.aws.clients import client, code_of, named_failures
from redwell.core.jobs.worker_services import Service, Status
from redwell.core.patience import USUAL, Patience

_SERVICE, _CASE = "service#", "case#"
_to_item, _from_item = TypeSerializer().serialize, TypeDeserializer().deserialize


class DynamoRegistry:
    """Keeps the promises of `ports.messaging.registry.Registry`; safe to use from several threads."""

    def __init__(self, table: str, patience: Patience = USUAL) -> None:
        self._table = table
        self._client = client("dynamodb", patience)
        self._make_table()

    def _make_table(self) -> None:
        """Where there is none: a worker with few rights finds the one that its stack has made."""
        with named_failures(f"table {self._table}"):
            try:
                self._client.describe_table(TableName=self._table)
            except ClientError as error:
                if code_of(error) != "ResourceNotFoundException":
                    raise
                self._create()
            self._client.get_waiter("table_exists").wait(TableName=self._table, WaiterConfig={"Delay": 1})

    def _create(self) -> None:
        try:
            self._client.create_table(
                TableName=self._table,
                KeySchema=[{"AttributeName": "key", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "key", "AttributeType": "S"}],
                BillingMode="PAY_PER_REQUEST",
            )
        except ClientError as error:
            if code_of(error) != "ResourceInUseException":
                raise

    def add(self, service: Service) -> None:
        self._transact([self._put(service, "attribute_not_exists(#key)")])

    def remove(self, service: str) -> None:
        if row := self.get(service):
            self._transact([self._delete(_SERVICE + service), *self._leave(row)])

    def get(self, service: str) -> Service | None:
        item = self._item(_SERVICE + service)
        return _service(item) if item else None

    def find(self, *, status: Status | None = None, case: int | None = None) -> list[Service]:
        if case is not None:
            item = self._item(f"{_CASE}{case}")
            row = self.get(item["service"]) if item else None
            found = [row] if row and row.case == case else []
        else:
            found = sorted(self._services(), key=lambda each: each.id)
        return [each for each in found if status in (None, each.status)]

    def replace(self, old: Service, new: Service) -> bool:
        changes = [self._put(new, "#version = :version", {":version": old.version})]
        if old.case != new.case:
            changes += [*self._leave(old), *self._enter(new)]
        return self._transact(changes)

    def close(self) -> None:
        self._client.close()

    def _services(self) -> Iterator[Service]:
        """There are tens of them: reading all is cheaper than an index that lags behind."""
        with named_failures(f"table {self._table}"):
            pages = self._client.get_paginator("scan").paginate(TableName=self._table, ConsistentRead=True)
            for page in pages:
                for item in map(_values, page["Items"]):
                    if item["key"].startswith(_SERVICE):
                        yield _service(item)

    def _item(self, key: str) -> Mapping[str, Any] | None:
        with named_failures(f"table {self._table}"):
            answer = self._client.get_item(TableName=self._table, Key={"key": {"S": key}}, ConsistentRead=True)
        return _values(answer["Item"]) if "Item" in answer else None

    def _transact(self, changes: list[dict[str, Any]]) -> bool:
        with named_failures(f"table {self._table}"):
            try:
                self._client.transact_write_items(TransactItems=changes)
            except ClientError as error:
                if code_of(error) != "TransactionCanceledException":
                    raise
                return False  # a condition does not hold, or another transaction is quicker
        return True

    def _put(self, service: Service, condition: str, values: Mapping[str, Any] | None = None) -> dict[str, Any]:
        put: dict[str, Any] = {
            "TableName": self._table,
            "Item": {name: _to_item(value) for name, value in _row(service).items()},
            "ConditionExpression": condition,
            "ExpressionAttributeNames": {"#version": "version"} if values else {"#key": "key"},
        }
        if values:
            put["ExpressionAttributeValues"] = {name: _to_item(value) for name, value in values.items()}
        return {"Put": put}

    def _delete(self, key: str) -> dict[str, Any]:
        return {"Delete": {"TableName": self._table, "Key": {"key": {"S": key}}}}

    def _leave(self, service: Service) -> list[dict[str, Any]]:
        return [] if service.case is None else [self._delete(f"{_CASE}{service.case}")]

    def _enter(self, service: Service) -> list[dict[str, Any]]:
        if service.case is None:
            return []
        item = {"key": {"S": f"{_CASE}{service.case}"}, "service": {"S": service.id}}
        free = {"ConditionExpression": "attribute_not_exists(#key)", "ExpressionAttributeNames": {"#key": "key"}}
        return [{"Put": {"TableName": self._table, "Item": item, **free}}]


def _values(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _from_item(value) for name, value in item.items()}


def _row(service: Service) -> dict[str, Any]:
    return {
        "key": _SERVICE + service.id,
        "status": service.status.value,  # for people and for queries of their own
        "version": service.version,
        "case": service.case,
        "job": service.job,
        "jobs": sorted(service.jobs),
        "worker_limit": service.worker_limit,
        "service_ref": service.service_ref,
        "scaling_ref": service.scaling_ref,
    }


def _service(item: Mapping[str, Any]) -> Service:
    return Service(
        id=item["key"].removeprefix(_SERVICE),
        version=int(item["version"]),
        case=None if item["case"] is None else int(item["case"]),
        job=None if item["job"] is None else int(item["job"]),
        jobs=frozenset(map(int, item["jobs"])),
        worker_limit=int(item["worker_limit"]),
        service_ref=item["service_ref"],
        scaling_ref=item["scaling_ref"],
    )
