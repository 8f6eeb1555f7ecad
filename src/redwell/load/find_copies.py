"""Which families are copies of others: a step of the load. Called by the loader, in one transaction for a chunk.

Only heads are compared, mails by the recipe (core.case.mail_recipe), all else by its bytes. The texts that it reads
are kept for the step that indexes them.
"""

from collections.abc import Mapping, Sequence

from redwell.core.case.copies import NO_COPIES_OF, Method, Rule, content_parts, in_scope
from redwell.core.case.mail_recipe import mail_parts, message_hash
from redwell.core.case.rows import ToLoad
from redwell.load.loading import Loading
from redwell.load.texts import kept_texts

MAIL = "mail"
_Attached = Mapping[int, Sequence[tuple[str, int]]]


def find_copies(case: Loading, exhibits: Sequence[ToLoad]) -> None:
    heads = [each for each in exhibits if each.family == each.id]
    rules = case.rules_of({each.batch for each in heads})
    mails = [each for each in heads if each.kind == MAIL]
    texts = kept_texts(mails, case)
    attached = case.queue.attached([each.id for each in mails if each.has_members])
    keys = {each.id: _key(each, rules[each.batch], texts, attached) for each in heads}
    case.told_anew.update(case.queue.find_copies(keys, [each.id for each in exhibits]))


def _key(exhibit: ToLoad, rule: Rule, texts: Mapping[int, str], attached: _Attached) -> bytes | None:
    if exhibit.sha256 is None or exhibit.outcome in NO_COPIES_OF:
        return None
    parts = None
    if exhibit.kind == MAIL:
        known_as = message_hash(exhibit.metadata) if rule.method is Method.MIH else ""
        text, files = texts.get(exhibit.id, ""), attached.get(exhibit.id, ())
        parts = [b"mih", known_as.encode()] if known_as else mail_parts(exhibit.metadata, text, files)
    return in_scope(parts or content_parts(exhibit.sha256), rule.scope, exhibit.custodian)
