"""The row checks of verify, as data: each rule is a check, what is wrong, and how to say it.

A pass asks all its rules about each row at once; a row that breaks several is named for the first.
No pass sorts or gathers, so they stay fast and flat in a case of any size. {mine} narrows a pass to
one batch, or is true.
"""

from collections.abc import Sequence

from redwell.adapters.sql_audit.filing_checks import FILING_RULES
from redwell.adapters.sql_audit.rule_sql import control_fits, exhibit_outcome, family_of, member_path, says
from redwell.core.case.checkpoints import LOADED, REGISTERED
from redwell.core.case.families import SOURCE_DEPTH
from redwell.core.case.findings import Check
from redwell.core.outcomes import Code, Outcome
from redwell.core.work.transitions import MemberState, Stage

Rule = tuple[Check, str, str]

WHO = (
    "coalesce((SELECT x.control FROM exhibit x WHERE x.id = i.id) || ' ' || i.path,"
    " CASE WHEN i.source = 0 THEN i.path END, i.locator)"
)
# an exhibit that has the content which a derivation d is about
_SEEN = f"coalesce((SELECT {WHO} FROM ingestion i WHERE i.document = d.document LIMIT 1), 'derivation ' || d.id)"
_OUTCOMES = ", ".join(f"'{outcome}'" for outcome in Outcome)
_STATES = ", ".join(f"'{state}'" for state in MemberState)
_DONE = f"state = '{Stage.DONE}'"


_NOT_CANCELLED = f"i.outcome IS DISTINCT FROM '{Outcome.CANCELLED}'"  # ended as it stood
_STOPPED = says("i.problems", Code.LIMIT_REACHED)

BATCH_RULES: tuple[Rule, ...] = (
    (
        Check.SOURCES,
        "b.sources IS DISTINCT FROM (SELECT count(*) FROM ingestion i"
        " WHERE i.parent IS NULL AND i.source = 1 AND i.batch = b.id)",
        "'it was given ' || b.sources || ' sources, and has another number of them'",
    ),
)
WALK_RULES: tuple[Rule, ...] = (
    (
        Check.WALK,
        # one that was cancelled has no number to compare with (audit.py compares what it had seen)
        f"i.{_DONE} AND {_NOT_CANCELLED}"
        " AND i.listed IS DISTINCT FROM (SELECT count(*) FROM ingestion c WHERE c.parent = i.id)",
        "'the walk lists ' || coalesce(CAST(i.listed AS TEXT), 'no') || ' files, there are '"
        " || (SELECT count(*) FROM ingestion c WHERE c.parent = i.id)",
    ),
)

# i: a row of the ledger; p: its parent, b: its batch, c: its document, d: the work on it;
# e and m: its container's work, and the member that it is; x and y: what the case says of it, and of its parent
INGESTION_RULES: tuple[Rule, ...] = (
    (Check.REFERENCE, "b.id IS NULL", "'its batch is missing'"),
    (Check.REFERENCE, "p.id IS DISTINCT FROM i.parent", "'its parent is missing'"),
    (Check.REFERENCE, "d.id IS DISTINCT FROM i.derivation", "'the work on its content is missing'"),
    (
        Check.REFERENCE,
        # what is left out or refused, or waits for the other volumes of its set, has a document, and nobody works on it
        "c.id IS DISTINCT FROM i.document OR (d.document IS DISTINCT FROM i.document AND NOT (i.derivation IS NULL"
        f" AND (i.state = '{Stage.GATHERED}' OR i.outcome IN ('{Outcome.FILTERED}', '{Outcome.CANCELLED}')"
        f" OR (i.outcome = '{Outcome.UNSUPPORTED}' AND p.source = 1))))"
        " OR (c.id IS NOT NULL AND c.size IS DISTINCT FROM i.size)",
        "'its document is missing or another one'",
    ),
    (
        Check.REFERENCE,
        "(x.id IS NULL) <> (i.source = 1) OR (i.source = 0 AND x.document IS DISTINCT FROM i.document)",
        "'the case does not know it as an exhibit, or as one of another content'",
    ),
    (
        Check.FAMILY,
        f"(i.parent IS NULL) <> (i.source = 1) OR (i.source = 1) <> (i.depth = {SOURCE_DEPTH})",
        "'a source has no parent, and all else has one'",
    ),
    (
        Check.FAMILY,
        "p.source = 1 AND (i.batch IS DISTINCT FROM p.batch OR i.depth IS DISTINCT FROM 0 OR i.root IS NOT NULL"
        " OR x.family IS DISTINCT FROM i.id)",
        "'it does not fit its source in batch, depth or root'",
    ),
    (
        Check.FAMILY,
        "p.source = 0 AND (i.batch IS DISTINCT FROM p.batch OR i.depth IS DISTINCT FROM p.depth + 1"
        f" OR x.family IS DISTINCT FROM {family_of('i', 'y')}"
        " OR i.root IS DISTINCT FROM coalesce(p.root, p.id)"
        f" OR i.path IS DISTINCT FROM {member_path('p.path', 'i.name')})",
        "'it does not fit its parent in batch, depth, root or path'",
    ),
    (
        Check.FAMILY,
        "i.source = 0 AND ((x.control IS NULL) <> (x.number IS NULL)"
        f" OR (x.control IS NOT NULL AND {control_fits('x', 'y', 'i.ordinal')} IS NOT TRUE))",
        "'its control number does not fit its family: ' || coalesce(x.control, 'none')",
    ),
    (
        Check.OUTCOME,
        f"i.source = 0 AND i.{_DONE} AND coalesce(i.outcome, '') NOT IN ({_OUTCOMES})",
        "'it is done, its outcome is ' || coalesce(i.outcome, 'missing')",
    ),
    (
        Check.OUTCOME,
        f"i.source = 0 AND i.{_DONE} AND i.document IS NULL AND i.problems = '[]'"
        f" AND i.outcome NOT IN ('{Outcome.FILTERED}', '{Outcome.CANCELLED}')",
        "'it has no content, and no problem says why'",
    ),
    (
        Check.OUTCOME,
        f"i.{_DONE} AND {_NOT_CANCELLED} AND (d.state <> '{Stage.DONE}'"
        f" OR (i.outcome IS DISTINCT FROM {exhibit_outcome('d')} AND i.source = 0 AND d.id IS NOT NULL"
        f" AND NOT (i.outcome = '{Outcome.PARTIAL}' AND {_STOPPED})))",
        "'it is done with ' || i.outcome || ', the work on its content is ' || d.state || ' with '"
        " || coalesce(d.outcome, 'none')",
    ),
    (Check.OUTCOME, f"i.{_DONE} AND i.owner IS NOT NULL", "'it is done, but somebody owns it'"),
    (
        Check.CHILDREN,
        f"i.{_DONE} AND {_NOT_CANCELLED} AND i.replayed IS DISTINCT FROM coalesce(d.members, 0)"
        f" AND (i.replayed NOT BETWEEN 0 AND coalesce(d.members, 0) OR NOT ({_STOPPED}))",
        "i.replayed || ' of its ' || coalesce(d.members, 0) || ' members were opened'",
    ),
    (
        # a retry may say something else about a member; the exhibit of the first reading keeps its name;
        # one without a name of its own is called after its container
        Check.CHILDREN,
        f"p.source = 0 AND (m.ordinal IS DISTINCT FROM i.ordinal OR (p.{_DONE} AND m.ordinal >= p.replayed)"
        f" OR (e.generation = 1 AND (m.state = '{MemberState.SKIPPED}' OR (m.name <> '' AND m.name <> i.name)"
        " OR m.role IS DISTINCT FROM i.role OR m.document IS DISTINCT FROM i.document"
        " OR m.metadata IS DISTINCT FROM i.metadata"
        " OR (m.outcome IS NOT NULL AND m.outcome IS DISTINCT FROM i.outcome))))",
        "'its container has no such member'",
    ),
)
LOAD_RULES: tuple[Rule, ...] = (
    (
        Check.PENDING,
        f"i.source = 0 AND i.{_DONE} AND x.checkpoint IS DISTINCT FROM {LOADED}"
        " AND NOT EXISTS (SELECT 1 FROM load_pending l WHERE l.exhibit = i.id)"
        # it waits for a number, which it has when all that comes before it has ended
        " AND NOT (x.number IS NULL AND EXISTS"
        f" (SELECT 1 FROM ingestion o WHERE o.batch = i.batch AND o.state <> '{Stage.DONE}'))",
        "'its load stopped at checkpoint ' || x.checkpoint || ' and does not wait to go on; reindex the case'",
    ),
    (
        Check.PENDING,
        f"x.control IS NULL AND x.checkpoint > {REGISTERED}",
        "'its load has begun, and it has no control number'",
    ),
    (
        Check.PENDING,
        f"i.state <> '{Stage.DONE}' AND x.checkpoint NOT BETWEEN {REGISTERED} AND {LOADED}",
        "'its load is at the unknown checkpoint ' || x.checkpoint",
    ),
)
MISSING_RULES: tuple[Rule, ...] = (
    (
        Check.CHILDREN,
        f"i.{_DONE} AND m.ordinal < i.replayed AND m.state <> '{MemberState.SKIPPED}'"
        " AND NOT EXISTS (SELECT 1 FROM ingestion x WHERE x.parent = i.id AND x.locator = m.locator)",
        "'its member ' || m.locator || ' (' || m.name || ') is no exhibit'",
    ),
)

# d: the work on a content; c: that document, b: its bytes
_LISTED = "(SELECT count(*) FROM member m WHERE m.derivation = d.id AND m.generation = d.generation)"
DERIVATION_RULES: tuple[Rule, ...] = (
    (Check.REFERENCE, "c.id IS NULL", "'its document is missing'"),
    (Check.REFERENCE, "b.length IS DISTINCT FROM c.size", "'no bytes of its size are known for it'"),
    (
        # as many as there are, each at a place of its own below their number: 0, 1, 2 without a gap
        Check.BALANCE,
        "(SELECT count(*) IS DISTINCT FROM d.members"
        " OR count(*) FILTER (WHERE m.ordinal BETWEEN 0 AND d.members - 1) <> d.members"
        " FROM member m WHERE m.derivation = d.id)",
        "'it lists ' || d.members || ' members, there are '"
        " || (SELECT count(*) FROM member m WHERE m.derivation = d.id)",
    ),
    (Check.BALANCE, f"d.{_DONE} AND d.members > 0 AND d.container = 0", "'it has members, but is no container'"),
    (
        Check.DECLARED,
        f"d.{_DONE} AND d.declared IS NOT NULL AND NOT ({says('d.problems', Code.COUNT_MISMATCH)})"
        f" AND d.declared <> {_LISTED}",
        f"'it declares ' || d.declared || ' members, ' || {_LISTED} || ' were listed'",
    ),
    (Check.OUTCOME, f"d.{_DONE} AND d.owner IS NOT NULL", "'the work on it is done, but somebody owns it'"),
)
ARTIFACT_RULES: tuple[Rule, ...] = (
    (Check.REFERENCE, "t.length IS DISTINCT FROM a.size", "'no bytes of its size are known for its ' || a.kind"),
)
MEMBER_RULES: tuple[Rule, ...] = (
    (
        Check.BALANCE,
        f"m.state NOT IN ({_STATES})"
        f" OR (m.state = '{MemberState.EMITTED}') <> (m.document IS NOT NULL)"
        f" OR (m.state = '{MemberState.FAILED}') <> (m.outcome IS NOT NULL)",
        "'its member ' || m.locator || ' is neither emitted, failed nor skipped, but ' || m.state",
    ),
    (
        Check.REFERENCE,
        "c.id IS DISTINCT FROM m.document",
        "'the document of its member ' || m.locator || ' is missing'",
    ),
)


def _pass(rules: Sequence[Rule], subject: str, rows: str) -> str:
    """One query for all rules: (check, subject, detail) of each row that breaks one."""
    check = " ".join(f"WHEN {broken} THEN '{check}'" for check, broken, _ in rules)
    detail = " ".join(f"WHEN {broken} THEN {detail}" for _, broken, detail in rules)
    broken = " OR ".join(f"({broken})" for _, broken, _ in rules)
    return f"SELECT CASE {check} END, {subject}, CASE {detail} END FROM {rows} AND ({broken})"


ROW_PASSES = (
    _pass(BATCH_RULES, "'batch ' || b.id", "batch b WHERE {mine_b}"),
    _pass(WALK_RULES, "i.locator", "ingestion i WHERE i.parent IS NULL AND {mine_i}"),
    _pass(
        (*INGESTION_RULES, *LOAD_RULES, *FILING_RULES),
        WHO,
        "ingestion i LEFT JOIN ingestion p ON p.id = i.parent LEFT JOIN batch b ON b.id = i.batch"
        " LEFT JOIN document c ON c.id = i.document LEFT JOIN derivation d ON d.id = i.derivation"
        " LEFT JOIN derivation e ON e.id = p.derivation"
        " LEFT JOIN member m ON m.derivation = p.derivation AND m.locator = i.locator"
        " LEFT JOIN exhibit x ON x.id = i.id LEFT JOIN exhibit y ON y.id = p.id WHERE {mine_i}",
    ),
    _pass(
        MISSING_RULES,
        WHO,
        "ingestion i JOIN member m ON m.derivation = i.derivation WHERE i.replayed > 0 AND {mine_i}",
    ),
    _pass(
        DERIVATION_RULES,
        _SEEN,
        "derivation d LEFT JOIN document c ON c.id = d.document LEFT JOIN blob b ON b.sha256 = c.sha256 WHERE {mine_d}",
    ),
    _pass(
        ARTIFACT_RULES,
        _SEEN,
        "derivation d JOIN artifact a ON a.derivation = d.id LEFT JOIN blob t ON t.sha256 = a.sha256 WHERE {mine_d}",
    ),
    _pass(
        MEMBER_RULES,
        _SEEN,
        "derivation d JOIN member m ON m.derivation = d.id LEFT JOIN document c ON c.id = m.document WHERE {mine_d}",
    ),
)
