"""What verify has looked at so far; read by the command line at the end, or by a display meanwhile."""

from dataclasses import dataclass

from redwell.core.report.sizes import in_words


@dataclass(slots=True)
class Account:
    inputs: int = 0  # files that came in
    exhibits: int = 0  # these, and all that was found in them
    containers: int = 0
    blobs: int = 0
    bytes: int = 0

    def begin(self) -> None:
        self.inputs = self.exhibits = self.containers = self.blobs = self.bytes = 0

    def __str__(self) -> str:
        return (
            f"verified {self.inputs:,} inputs, {self.exhibits:,} exhibits, {self.containers:,} containers, "
            f"{self.blobs:,} blobs ({in_words(self.bytes)})"
        )
