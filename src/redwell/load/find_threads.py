"""Which mails belong to one thread, and which of them have to be read: a step of the load. Called by the loader."""

from collections.abc import Sequence
from itertools import groupby

from redwell.core.case.rows import ToLoad
from redwell.core.case.threads import inclusive, thread_keys
from redwell.load.find_copies import MAIL
from redwell.load.loading import Loading
from redwell.load.texts import kept_texts


def find_threads(case: Loading, exhibits: Sequence[ToLoad]) -> None:
    mails = {each.id: thread_keys(each.metadata) for each in exhibits if each.kind == MAIL and each.family == each.id}
    touched = case.queue.find_threads(mails) if mails else ()
    if not touched:
        return
    in_order = sorted(case.queue.mails_of(list(touched)), key=lambda mail: mail.thread)
    for _, some in groupby(in_order, key=lambda mail: mail.thread):
        thread = list(some)
        read = kept_texts(thread, case)
        texts = {mail.id: read[mail.id] for mail in thread}
        with_files = frozenset(mail.id for mail in thread if mail.has_members)
        case.queue.judge_thread(texts, inclusive(texts, with_files))
