"""Where exhibits lie in their case: the steps for sources, custodians and folders. Called by the loader.

The first two note what the chunk needs, the last writes it, in one transaction with its checkpoint.
"""

from collections.abc import Sequence

from redwell.core.case.filing import Filed, Filing, folder_of, sort_date
from redwell.core.case.rows import ToLoad
from redwell.load.loading import Loading


def note_sources(case: Loading, exhibits: Sequence[ToLoad]) -> None:
    """Each batch is asked for its sources once by a loader."""
    case.new_sources.update({each.batch for each in exhibits} - case.known_sources)


def note_custodians(case: Loading, exhibits: Sequence[ToLoad]) -> None:
    names = dict.fromkeys(each.custodian for each in exhibits if each.custodian)
    case.new_custodians.update({name: None for name in names if name not in case.known_custodians})


def put_into_folders(case: Loading, exhibits: Sequence[ToLoad]) -> None:
    filings = [_filing(each) for each in exhibits]
    sources, custodians = sorted(case.new_sources), list(case.new_custodians)
    case.told_anew.update(case.queue.file(filings, [each.id for each in exhibits], sources, custodians))
    case.filed.update((each.id, each.filed) for each in filings if each.filed is not None)
    case.known_sources |= case.new_sources
    case.known_custodians |= case.new_custodians.keys()
    case.new_sources.clear()
    case.new_custodians.clear()


def _filing(each: ToLoad) -> Filing:
    if each.family != each.id:
        return Filing(each.id, each.family, None)
    place = Filed(folder_of(each.path), sort_date(each.metadata, each.source_dates))
    return Filing(each.id, each.family, place, each.has_members)
