"""Services of workers in ECS: ports.messaging.service_scaling.ServiceScaling. Used by imports and workers of a service.

A service is known by its reference, else by its id in the cluster of the prefix. Its scaling policy may move the count
within bounds; those are told first, so that it can't raise again what is being taken down.
"""

from collections.abc import Iterator, Mapping, Sequence

from redwell.adapters.aws.clients import client, named_failures
from redwell.core.jobs.worker_services import Service, Status
from redwell.core.patience import USUAL, Patience

MOST = 50  # tasks of a service whose job has no limit
AT_ONCE = 10  # services of one call


class EcsServices:
    """Safe to use from several threads."""

    def __init__(self, cluster: str, patience: Patience = USUAL) -> None:
        self._cluster = cluster
        self._services, self._targets = client("ecs", patience), client("application-autoscaling", patience)

    def tasks(self, services: Sequence[Service]) -> Mapping[str, int]:
        by_name = {_name(each): each.id for each in services}
        return {by_name[name]: count for name, count in self._counts(list(by_name)) if name in by_name}

    def scale(self, service: Service, tasks: int) -> None:
        name = _name(service)
        most = 0 if service.status is Status.FREE else service.worker_limit or MOST
        with named_failures(f"service {name}"):
            self._targets.register_scalable_target(
                ServiceNamespace="ecs",
                ResourceId=service.scaling_ref or f"service/{self._cluster}/{name}",
                ScalableDimension="ecs:service:DesiredCount",
                MinCapacity=0,
                MaxCapacity=max(most, tasks),
            )
            self._services.update_service(cluster=self._cluster, service=name, desiredCount=tasks)

    def close(self) -> None:
        self._services.close()
        self._targets.close()

    def _counts(self, names: Sequence[str]) -> Iterator[tuple[str, int]]:
        for start in range(0, len(names), AT_ONCE):
            with named_failures(f"cluster {self._cluster}"):
                some = list(names[start : start + AT_ONCE])
                found = self._services.describe_services(cluster=self._cluster, services=some)["services"]
            for each in found:
                if each["status"] == "ACTIVE":
                    yield each["serviceName"], int(each["desiredCount"])


def _name(service: Service) -> str:
    return service.service_ref.rpartition("/")[2] or service.id
