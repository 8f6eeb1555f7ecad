"""Which mails belong to one thread, and which of them have to be read: a step of the load. Called by the loader."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from redwell.core.case.rows import ToLoad
from redwell.core.case.threads import ThreadMail, inclusive, thread_keys
from redwell.load.find_copies import MAIL
from redwell.load.loading import Loading
from redwell.load.texts import AT_ONCE, kept_texts


def find_threads(case: Loading, exhibits: Sequence[ToLoad]) -> None:
    mails = {each.id: thread_keys(each.metadata) for each in exhibits if each.kind == MAIL and each.family == each.id}
    touched = case.queue.find_threads(mails) if mails else ()
    if not touched:
        return
    in_order = sorted(case.queue.mails_of(list(touched)), key=_thread_of)
    threads = [list(mails) for _, mails in groupby(in_order, key=_thread_of)]
    for some in _together(threads):
        to_compare = [mail for thread in some if len(thread) > 1 for mail in thread]
        texts = kept_texts(to_compare, case)
        to_read = {key for thread in some for key in _to_read(thread, texts)}
        case.queue.judge_threads([mail.id for thread in some for mail in thread], to_read)


def _thread_of(mail: ThreadMail) -> int:
    return mail.thread


def _together(threads: Iterable[list[ThreadMail]]) -> Iterator[list[list[ThreadMail]]]:
    """Many small threads are read and judged at once: most have a mail or two."""
    some, mails = list[list[ThreadMail]](), 0
    for thread in threads:
        some.append(thread)
        mails += len(thread)
        if mails >= AT_ONCE:
            yield some
            some, mails = [], 0
    if some:
        yield some


def _to_read(thread: Sequence[ThreadMail], texts: Mapping[int, str]) -> set[int]:
    if len(thread) == 1:
        return {thread[0].id}
    with_files = frozenset(mail.id for mail in thread if mail.has_members)
    return inclusive({mail.id: texts[mail.id] for mail in thread}, with_files)
