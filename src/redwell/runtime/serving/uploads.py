"""Uploads of a served home: what arrived becomes an import, and is taken away when the case has it."""

import logging
import time
from collections.abc import Callable

from redwell.core.errors import Conflict, RedwellError
from redwell.ports.uploads import Upload, Uploads
from redwell.runtime.serving.imports import Imports, NewImport

KEPT_S = 7 * 86_400  # an upload that nobody goes on with
log = logging.getLogger(__name__)


def import_upload(uploads: Uploads, upload: Upload, imports: Imports, case: str, new: NewImport) -> int:
    """The batch. Asked twice, it is the same one."""
    if upload.batch is not None:
        return upload.batch
    if new.sources:
        raise Conflict("an upload is its own source")
    batch = imports.begin_uploaded(case, uploads.laid_out(upload.case, upload.id), new)
    uploads.imported(upload.case, upload.id, batch)
    return batch


def sweep(uploads: Uploads, is_finished: Callable[[int, int], bool], now_s: Callable[[], float] = time.time) -> None:
    """What a finished import has read is in the case; what nobody went on with for a week is given up."""
    for upload in uploads.all():
        try:
            is_old = now_s() - upload.at_ms / 1000 > KEPT_S
            if is_finished(upload.case, upload.batch) if upload.batch is not None else is_old:
                uploads.drop(upload.case, upload.id)
        except (RedwellError, OSError) as error:
            log.warning("the upload %s stays for now: %s", upload.id, error)
