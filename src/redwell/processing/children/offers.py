"""What the handlers of a child are, from its hello: the parent knows no more of them. In the parent."""

import hashlib

from redwell.core import wire


def equipment_of(hello: wire.Hello) -> str:
    """What a machine must have as another one has it, so that both make the same of a content."""
    return " ".join([f"extract/{digest_of(hello)}", *(tool.name for tool in hello.tools if tool.version)])


def digest_of(hello: wire.Hello) -> str:
    """Changes when a handler is added, removed or given a new version."""
    handlers = sorted((offer.name, offer.version) for offer in hello.handlers)
    return hashlib.sha256(repr(handlers).encode()).hexdigest()[:12]
