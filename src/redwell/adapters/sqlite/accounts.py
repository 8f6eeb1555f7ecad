"""The row checks of verify as named queries: each gives (subject, detail) of what is wrong, and nothing else.

Set-based and without sorting, so that they stay fast and flat in a case of any size. {i}, {d} and {b}
narrow ingestions, derivations and batches to one batch, or are true.
"""

from redwell.core.findings import Check
from redwell.core.ledger import MemberState, Stage
from redwell.core.outcomes import Outcome

WHOLE_CASE = {"i": "1", "d": "1", "b": "1"}
_MINE = "{0}.batch = :batch AND {0}.id >= :first"
ONE_BATCH = {
    "i": _MINE.format("i"),
    "d": f"d.id IN (SELECT x.derivation FROM ingestion x WHERE {_MINE.format('x')})",
    "b": "b.id = :batch",
}
# rows of a batch come after its sources, and these are found by the index on (parent, locator)
FIRST_ROW = "SELECT coalesce(min(id), 0) FROM ingestion WHERE parent IS NULL AND batch = :batch"

WHO = "coalesce(i.control || ' ' || i.path, i.locator)"
# an exhibit that shows the content which a derivation d is about
_SEEN = f"coalesce((SELECT {WHO} FROM ingestion i WHERE i.document = d.document LIMIT 1), 'derivation ' || d.id)"
_OUTCOMES = ", ".join(f"'{outcome}'" for outcome in Outcome)
_STATES = ", ".join(f"'{state}'" for state in MemberState)
_DONE = f"state = '{Stage.DONE}'"
_STOPPED = "instr(i.problems, 'LIMIT_REACHED') > 0"

UNFINISHED = f"""
    SELECT b.id, b.finished_ms, coalesce(open.rows, 0) FROM batch b LEFT JOIN (
        SELECT i.batch, count(*) AS rows FROM ingestion i WHERE i.state <> '{Stage.DONE}' GROUP BY i.batch
    ) AS open ON open.batch = b.id WHERE {{b}}"""

ROW_CHECKS: tuple[tuple[Check, str], ...] = (
    (
        Check.SOURCES,
        """SELECT 'batch ' || id, 'it was given ' || sources || ' sources, ' || rows || ' are there'
        FROM (SELECT b.id, b.sources, (SELECT count(*) FROM ingestion i
              WHERE i.parent IS NULL AND i.batch = b.id AND i.source = 1) AS rows FROM batch b WHERE {b})
        WHERE rows IS NOT sources""",
    ),
    (
        Check.WALK,
        f"""SELECT locator, 'the walk lists ' || coalesce(listed, 'no') || ' files, ' || rows || ' are there'
        FROM (SELECT i.locator, i.listed, (SELECT count(*) FROM ingestion c WHERE c.parent = i.id) AS rows
              FROM ingestion i WHERE i.parent IS NULL AND i.{_DONE} AND {{i}})
        WHERE listed IS NOT rows""",
    ),
    (
        Check.FAMILY,
        f"""SELECT {WHO}, 'a row without a parent is no source, or a source has one' FROM ingestion i
        WHERE {{i}} AND ((i.parent IS NULL) <> (i.source = 1) OR (i.source = 1) <> (i.depth = -1))""",
    ),
    (
        Check.FAMILY,
        f"""SELECT {WHO}, 'it does not fit its source in batch, depth, root or number'
        FROM ingestion i JOIN ingestion p ON p.id = i.parent
        WHERE {{i}} AND p.source = 1 AND (i.batch IS NOT p.batch OR i.depth IS NOT 0 OR i.root IS NOT NULL
            OR i.ordinal IS NOT i.number
            OR substr(i.control, -length(printf('%08d', i.number))) IS NOT printf('%08d', i.number))""",
    ),
    (
        Check.FAMILY,
        f"""SELECT {WHO}, 'it does not fit its parent in batch, depth, root, path or control number'
        FROM ingestion i JOIN ingestion p ON p.id = i.parent
        WHERE {{i}} AND p.source = 0 AND (i.batch IS NOT p.batch OR i.depth IS NOT p.depth + 1
            OR i.root IS NOT coalesce(p.root, p.id) OR i.number IS NOT p.number
            OR i.path IS NOT p.path || '//' || i.name
            OR i.control IS NOT p.control || '.' || printf('%04d', i.ordinal + 1))""",
    ),
    (
        Check.FAMILY,
        f"""SELECT {WHO}, 'its place in its parent is taken by another row too' FROM ingestion i
        WHERE {{i}} AND i.parent IS NOT NULL AND EXISTS (SELECT 1 FROM ingestion c
            WHERE c.parent = i.parent AND c.locator = i.locator AND c.id <> i.id)""",
    ),
    (
        Check.OUTCOME,
        f"""SELECT {WHO}, 'it is done, its outcome is ' || coalesce(i.outcome, 'missing') FROM ingestion i
        WHERE {{i}} AND i.source = 0 AND i.{_DONE} AND (i.outcome IS NULL OR i.outcome NOT IN ({_OUTCOMES}))""",
    ),
    (
        Check.OUTCOME,
        f"""SELECT {WHO}, 'it has no content, and no problem says why' FROM ingestion i
        WHERE {{i}} AND i.source = 0 AND i.{_DONE} AND i.document IS NULL AND i.problems = '[]'
            AND i.outcome NOT IN ('{Outcome.FILTERED}', '{Outcome.CANCELLED}')""",
    ),
    (
        Check.OUTCOME,
        f"""SELECT {WHO}, 'it is done with ' || coalesce(i.outcome, 'nothing') || ', the work on its content is '
            || d.state || ' with ' || coalesce(d.outcome, 'nothing')
        FROM ingestion i JOIN derivation d ON d.id = i.derivation
        WHERE {{i}} AND i.{_DONE} AND (d.state <> 'done'
            OR (i.outcome IS NOT d.outcome AND NOT (i.outcome = '{Outcome.PARTIAL}' AND {_STOPPED})))""",
    ),
    (
        Check.BALANCE,
        f"""SELECT {_SEEN}, 'it lists ' || members || ' members, ' || rows || ' of them are there'
        FROM (SELECT d.id, d.document, d.members, d.container, d.state,
                  (SELECT count(*) FROM member m WHERE m.derivation = d.id) AS rows,
                  (SELECT max(m.ordinal) FROM member m WHERE m.derivation = d.id) AS last,
                  (SELECT min(m.ordinal) FROM member m WHERE m.derivation = d.id) AS first
              FROM derivation d WHERE {{d}}) AS d
        WHERE members IS NOT rows OR coalesce(last, -1) <> members - 1 OR coalesce(first, 0) <> 0
            OR (d.{_DONE} AND members > 0 AND container = 0)""",
    ),
    (
        Check.BALANCE,
        f"""SELECT {_SEEN}, 'its member ' || m.locator || ' is ' || m.state || ' with '
            || CASE WHEN m.document IS NULL THEN 'no content' ELSE 'content' END
            || ' and ' || coalesce(m.outcome, 'no outcome')
        FROM derivation d JOIN member m ON m.derivation = d.id
        WHERE {{d}} AND (m.state NOT IN ({_STATES}) OR (m.state = 'emitted') <> (m.document IS NOT NULL)
            OR (m.state = 'failed') <> (m.outcome IS NOT NULL))""",
    ),
    (
        Check.CHILDREN,
        f"""SELECT {WHO}, i.replayed || ' of its ' || coalesce(d.members, 0) || ' members were opened'
        FROM ingestion i LEFT JOIN derivation d ON d.id = i.derivation
        WHERE {{i}} AND i.{_DONE} AND i.replayed IS NOT coalesce(d.members, 0)
            AND (i.replayed NOT BETWEEN 0 AND d.members OR NOT {_STOPPED})""",
    ),
    (
        Check.CHILDREN,
        f"""SELECT {WHO}, 'its member ' || m.locator || ' (' || m.name || ') is no exhibit'
        FROM ingestion i JOIN member m ON m.derivation = i.derivation
        WHERE {{i}} AND i.{_DONE} AND m.ordinal < i.replayed AND m.state <> 'skipped' AND NOT EXISTS (
            SELECT 1 FROM ingestion c WHERE c.parent = i.id AND c.locator = m.locator)""",
    ),
    (
        # a retry may say something else about a member, the exhibits of the first reading keep their place
        Check.CHILDREN,
        f"""SELECT {WHO}, 'its container has no such member'
        FROM ingestion i JOIN ingestion p ON p.id = i.parent LEFT JOIN derivation d ON d.id = p.derivation
            LEFT JOIN member m ON m.derivation = p.derivation AND m.locator = i.locator
        WHERE {{i}} AND p.source = 0 AND (m.ordinal IS NOT i.ordinal
            OR (p.{_DONE} AND m.ordinal >= p.replayed)
            OR (d.generation = 1 AND (m.state = 'skipped' OR m.name IS NOT i.name OR m.role IS NOT i.role
                OR m.document IS NOT i.document OR m.metadata IS NOT i.metadata
                OR (m.outcome IS NOT NULL AND m.outcome IS NOT i.outcome))))""",
    ),
    (
        Check.DECLARED,
        f"""SELECT {_SEEN}, 'it declares ' || declared || ' members, ' || listed || ' were listed'
        FROM (SELECT d.id, d.document, d.declared, d.problems, (SELECT count(*) FROM member m
                  WHERE m.derivation = d.id AND m.generation = d.generation) AS listed
              FROM derivation d WHERE {{d}} AND d.{_DONE} AND d.declared IS NOT NULL) AS d
        WHERE declared <> listed AND instr(problems, 'COUNT_MISMATCH') = 0""",
    ),
    (
        Check.REFERENCE,
        f"""SELECT {WHO}, CASE WHEN i.batch NOT IN (SELECT id FROM batch) THEN 'its batch is missing'
            WHEN i.parent IS NOT NULL AND p.id IS NULL THEN 'its parent is missing'
            WHEN i.derivation IS NOT NULL AND d.id IS NULL THEN 'the work on its content is missing'
            ELSE 'its document is missing or another one' END
        FROM ingestion i LEFT JOIN ingestion p ON p.id = i.parent LEFT JOIN document c ON c.id = i.document
            LEFT JOIN derivation d ON d.id = i.derivation
        WHERE {{i}} AND (i.batch NOT IN (SELECT id FROM batch) OR p.id IS NOT i.parent OR d.id IS NOT i.derivation
            OR c.id IS NOT i.document OR d.document IS NOT i.document
            OR (c.id IS NOT NULL AND c.size IS NOT i.size))""",
    ),
    (
        Check.REFERENCE,
        f"""SELECT {_SEEN}, CASE WHEN c.id IS NULL THEN 'its document is missing'
            WHEN d.text IS NOT t.sha256 THEN 'no stored bytes are known for its text'
            ELSE 'no stored bytes are known for it' END
        FROM derivation d LEFT JOIN document c ON c.id = d.document LEFT JOIN blob b ON b.sha256 = c.sha256
            LEFT JOIN blob t ON t.sha256 = d.text
        WHERE {{d}} AND (c.id IS NULL OR b.length IS NOT c.size OR t.sha256 IS NOT d.text)""",
    ),
    (
        Check.REFERENCE,
        f"""SELECT {_SEEN}, 'the document of its member ' || m.locator || ' is missing'
        FROM derivation d JOIN member m ON m.derivation = d.id LEFT JOIN document c ON c.id = m.document
        WHERE {{d}} AND c.id IS NOT m.document""",
    ),
)

# A retry may leave contents of the reading before it behind; until then every row has a reason.
_NO_RETRY = "NOT EXISTS (SELECT 1 FROM derivation WHERE generation > 1)"

CASE_CHECKS: tuple[tuple[Check, str], ...] = (
    (
        Check.FAMILY,
        """SELECT 'case', count(*) || ' files came in, their control numbers go from ' || min(number) || ' to '
            || max(number) FROM ingestion WHERE depth = 0
        HAVING min(number) <> 1 OR max(number) <> count(*)""",
    ),
    (
        Check.REFERENCE,
        """SELECT 'document ' || lower(hex(c.sha256)), 'no stored bytes of its size are known for it'
        FROM document c LEFT JOIN blob b ON b.sha256 = c.sha256 WHERE b.length IS NOT c.size""",
    ),
    (
        Check.REFERENCE,
        """SELECT 'member ' || m.locator || ' of derivation ' || m.derivation, 'its container is missing'
        FROM member m LEFT JOIN derivation d ON d.id = m.derivation WHERE d.id IS NULL""",
    ),
    (
        Check.ORPHAN,
        f"""WITH loose AS MATERIALIZED (SELECT c.id, c.sha256 FROM document c
            WHERE NOT EXISTS (SELECT 1 FROM ingestion i WHERE i.document = c.id) AND {_NO_RETRY})
        SELECT 'document ' || lower(hex(sha256)), 'no exhibit and no member has this content' FROM loose
        WHERE id NOT IN (SELECT m.document FROM member m WHERE m.document IN (SELECT id FROM loose))""",
    ),
    (
        Check.ORPHAN,
        f"""SELECT 'derivation ' || d.id, 'no exhibit has this content' FROM derivation d
        WHERE NOT EXISTS (SELECT 1 FROM ingestion i WHERE i.document = d.document AND i.derivation = d.id)
            AND {_NO_RETRY}""",
    ),
    (
        # eight bytes are enough to know a text by, and keep the set of all texts small
        Check.ORPHAN,
        f"""SELECT 'blob ' || lower(hex(b.sha256)), 'it is neither the content nor the text of a document' FROM blob b
        WHERE NOT EXISTS (SELECT 1 FROM document c WHERE c.sha256 = b.sha256)
            AND substr(b.sha256, 1, 8) NOT IN (SELECT substr(d.text, 1, 8) FROM derivation d WHERE d.text IS NOT NULL)
            AND {_NO_RETRY}""",
    ),
    (
        Check.SEAL,
        "SELECT 'document ' || lower(hex(sha256)), 'its hash is of the unknown kind ' || hash_kind FROM document"
        " WHERE hash_kind <> 'bytes'",
    ),
    (
        Check.OUTCOME,
        f"""SELECT {WHO}, 'it is done, but ' || i.owner || ' owns it' FROM ingestion i
        WHERE i.{_DONE} AND i.owner IS NOT NULL UNION ALL
        SELECT {_SEEN}, 'the work on it is done, but ' || d.owner || ' owns it' FROM derivation d
        WHERE d.{_DONE} AND d.owner IS NOT NULL""",
    ),
    (
        Check.PENDING,
        f"""SELECT 'exhibit ' || p.ingestion, 'it waits for the index, but there is no such exhibit'
        FROM index_pending p LEFT JOIN ingestion i ON i.id = p.ingestion WHERE i.id IS NULL OR i.source = 1 UNION ALL
        SELECT 'batch ' || b.id, count(*) || ' exhibits of it wait for the index; resume the batch to index them'
        FROM index_pending p JOIN ingestion i ON i.id = p.ingestion JOIN batch b ON b.id = i.batch
        WHERE b.finished_ms IS NOT NULL
            AND b.id NOT IN (SELECT o.batch FROM ingestion o WHERE o.state <> '{Stage.DONE}')
        GROUP BY b.id""",
    ),
)

# (sha256, exhibit) of damaged contents: found as a native, as a text, or in a container that was not opened
AFFECTED = (
    f"""SELECT c.sha256, (SELECT {WHO} FROM ingestion i WHERE i.document = c.id LIMIT 1)
    FROM document c WHERE c.sha256 IN :shas""",
    f"""SELECT d.text, (SELECT {WHO} FROM ingestion i WHERE i.document = d.document AND i.derivation = d.id LIMIT 1)
    FROM derivation d WHERE d.text IN :shas""",
    f"""SELECT c.sha256, (SELECT {WHO} || '//' || m.name FROM ingestion i WHERE i.document = d.document LIMIT 1)
    FROM document c JOIN member m ON m.document = c.id JOIN derivation d ON d.id = m.derivation
    WHERE c.sha256 IN :shas""",
)
