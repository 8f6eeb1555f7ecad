"""Opens pictures with Pillow and names what it lets through. Called by readers and recognition, in a child."""

import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

MOST_PIXELS = 300_000_000  # Redwell renders nothing larger
# what Pillow lets through on damaged files, beside its own error (an OSError)
PILLOW_ERRORS = (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError,
                 EOFError, RuntimeError, AssertionError, struct.error)  # fmt: skip


@contextmanager
def open_picture(file: BinaryIO) -> Iterator[Any]:
    """A PIL image of any kind, its header read and no pixel; whoever decodes it looks at its size first."""
    from PIL import Image
    from pillow_heif import register_heif_opener

    register_heif_opener()
    Image.MAX_IMAGE_PIXELS = None  # Pillow would refuse to tell the size
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(file) as picture:
            yield picture
