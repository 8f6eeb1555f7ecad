"""The queries of verify besides its rules (row_checks): what only a whole case can tell, and who is affected."""

from redwell.adapters.sql_audit.row_checks import WHO
from redwell.adapters.sql_audit.rule_sql import has_digits_of, member_path, says
from redwell.core.case.findings import Check
from redwell.core.outcomes import Code
from redwell.core.work.kinds import Purpose
from redwell.core.work.transitions import Stage, Work

WHOLE_CASE = {"mine_i": "1 = 1", "mine_d": "1 = 1", "mine_b": "1 = 1"}
_MINE = "{0}.batch = :batch AND {0}.id >= :first"
ONE_BATCH = {
    "mine_i": _MINE.format("i"),
    "mine_d": f"d.id IN (SELECT x.derivation FROM ingestion x WHERE {_MINE.format('x')})",
    "mine_b": "b.id = :batch",
}
# rows of a batch come after its sources, and these are found by the index on (parent, locator)
FIRST_ROW = "SELECT coalesce(min(id), 0) FROM ingestion WHERE parent IS NULL AND batch = :batch"

UNFINISHED = f"""
    SELECT b.id, b.finished_ms, coalesce(open.rows, 0) FROM batch b LEFT JOIN (
        SELECT i.batch, count(*) AS rows FROM ingestion i WHERE i.state <> '{Stage.DONE}' GROUP BY i.batch
    ) AS open ON open.batch = b.id WHERE {{mine_b}}"""

# A retry may leave contents of the reading before it behind; without one every row has a reason.
_NO_RETRY = "NOT EXISTS (SELECT 1 FROM derivation WHERE generation > 1)"

CASE_QUERIES = (
    f"""SELECT '{Check.REFERENCE}', 'batch ' || b.id, b.jobs || ' jobs were begun for it, there are ' || count(j.id)
    FROM batch b LEFT JOIN job j ON j.batch = b.id GROUP BY b.id, b.jobs HAVING count(j.id) <> b.jobs""",
    f"""SELECT '{Check.UNFINISHED}', 'job ' || j.id, 'it is open, but its batch is finished'
    FROM job j JOIN batch b ON b.id = j.batch WHERE j.finished_ms IS NULL AND b.finished_ms IS NOT NULL""",
    f"""SELECT '{Check.FAMILY}', 'case', count(*) || ' files came in, they are counted from ' || min(ordinal)
        || ' to ' || max(ordinal) FROM ingestion i WHERE i.depth = 0 AND i.source = 0
    HAVING min(ordinal) <> 1 OR max(ordinal) <> count(*)""",
    f"""SELECT '{Check.OUTCOME}', 'batch ' || batch, 'its rows and its kept counts differ by '
        || sum(more) || ' of ' || outcome FROM (
        SELECT batch, outcome, exhibits AS more FROM batch_outcome WHERE exhibits > 0 UNION ALL
        SELECT i.batch, coalesce(x.outcome, i.outcome, 'none'), -count(*) FROM ingestion i JOIN exhibit x ON x.id = i.id
        WHERE i.source = 0 AND i.batch IN (SELECT k.batch FROM batch_outcome k WHERE k.exhibits > 0)
        GROUP BY i.batch, coalesce(x.outcome, i.outcome, 'none')
    ) AS counted GROUP BY batch, outcome HAVING sum(more) <> 0""",
    # heads are numbered without a gap; files in the order of the walk, what lies in a container behind it, in its order
    f"""SELECT '{Check.FAMILY}', 'exhibit ' || control, 'its number does not follow the one before it, ' || before
    FROM (SELECT x.control, x.number, lag(x.number, 1, 0) OVER (ORDER BY x.number) AS before FROM exhibit x
        WHERE x.family = x.id AND {has_digits_of("x.control", "x.number")}) AS numbered WHERE number <> before + 1""",
    f"""SELECT '{Check.FAMILY}', 'exhibit ' || control, 'its number is not behind that of what it lies in, or lies next'
    FROM (SELECT x.control, x.number, y.number AS above,
            lag(x.number, 1, 0) OVER (PARTITION BY i.parent ORDER BY x.id) AS before
        FROM exhibit x JOIN ingestion i ON i.id = x.id LEFT JOIN exhibit y ON y.id = i.parent
        WHERE x.family = x.id AND {has_digits_of("x.control", "x.number")}) AS numbered
    WHERE number <= before OR number <= coalesce(above, 0)""",
    f"""SELECT '{Check.FAMILY}', 'ingestion ' || parent, count(*) || ' rows below it are of ' || locator
    FROM ingestion WHERE parent IS NOT NULL GROUP BY parent, locator HAVING count(*) > 1""",
    f"""SELECT '{Check.REFERENCE}', 'document ' || encode(c.sha256, 'hex'), 'no bytes of its size are known for it'
    FROM document c LEFT JOIN blob b ON b.sha256 = c.sha256 WHERE b.length IS DISTINCT FROM c.size""",
    f"""SELECT '{Check.REFERENCE}', 'member ' || m.locator || ' of derivation ' || m.derivation,
        'its container is missing' FROM member m LEFT JOIN derivation d ON d.id = m.derivation WHERE d.id IS NULL""",
    f"""SELECT '{Check.REFERENCE}', 'volume ' || v.number || ' of derivation ' || v.derivation,
        'its set or its content is missing' FROM volume v LEFT JOIN derivation d ON d.id = v.derivation
        LEFT JOIN document c ON c.id = v.document WHERE d.id IS NULL OR c.id IS NULL""",
    f"""WITH loose AS MATERIALIZED (SELECT c.id, c.sha256 FROM document c
        WHERE NOT EXISTS (SELECT 1 FROM ingestion i WHERE i.document = c.id) AND {_NO_RETRY})
    SELECT '{Check.ORPHAN}', 'document ' || encode(sha256, 'hex'), 'no exhibit and no member has this content'
    FROM loose WHERE id NOT IN (SELECT m.document FROM member m WHERE m.document IN (SELECT id FROM loose))
        AND id NOT IN (SELECT v.document FROM volume v WHERE v.document IN (SELECT id FROM loose))""",
    f"""SELECT '{Check.ORPHAN}', 'derivation ' || d.id, 'no exhibit waits for this work' FROM derivation d
    WHERE NOT EXISTS (SELECT 1 FROM ingestion i WHERE i.document = d.document AND i.derivation = d.id)
        AND d.purpose = '{Purpose.READ}' AND {_NO_RETRY}""",
    f"""SELECT '{Check.REFERENCE}', 'artifact ' || a.kind || ' ' || a.number || ' of derivation ' || a.derivation,
        'its work is missing' FROM artifact a LEFT JOIN derivation d ON d.id = a.derivation WHERE d.id IS NULL""",
    f"""SELECT '{Check.ORPHAN}', 'derivation ' || w.derivation, 'batch ' || w.batch || ' waits for it, and it is over'
    FROM wanted w LEFT JOIN derivation d ON d.id = w.derivation WHERE d.id IS NULL OR d.state = '{Work.DONE}'""",
    # eight bytes are enough to know an artifact by, and keep the set of all of them small
    f"""SELECT '{Check.ORPHAN}', 'blob ' || encode(b.sha256, 'hex'),
        'it is neither the content of a document nor made of one'
    FROM blob b LEFT JOIN (SELECT DISTINCT substr(a.sha256, 1, 8) AS start FROM artifact a) t
        ON t.start = substr(b.sha256, 1, 8)
    WHERE t.start IS NULL AND NOT EXISTS (SELECT 1 FROM document c WHERE c.sha256 = b.sha256)
        AND NOT EXISTS (SELECT 1 FROM overlay_value v WHERE v.blob = b.sha256) AND {_NO_RETRY}""",
    f"""SELECT '{Check.REFERENCE}', 'overlay ' || v.overlay, 'no bytes are known for the text that it gave exhibit '
        || v.exhibit FROM overlay_value v LEFT JOIN blob b ON b.sha256 = v.blob
    WHERE v.blob IS NOT NULL AND b.sha256 IS NULL""",
    f"""SELECT '{Check.OUTCOME}', 'exhibit ' || x.control, 'it has another text than its overlays say' FROM exhibit x
    LEFT JOIN (SELECT v.exhibit, max(v.overlay) AS overlay FROM overlay_value v JOIN overlay o ON o.id = v.overlay
        WHERE v.blob IS NOT NULL AND o.undone = 0 GROUP BY v.exhibit) AS last ON last.exhibit = x.id
    LEFT JOIN overlay_value g ON g.overlay = last.overlay AND g.exhibit = x.id AND g.blob IS NOT NULL
    WHERE g.blob IS DISTINCT FROM x.given_text OR CASE WHEN x.given_text IS NULL THEN x.given_chars IS NOT NULL
        ELSE g.after <> '{{"chars":' || x.given_chars || ',"sha256":"' || encode(x.given_text, 'hex') || '"}}'
            OR x.given_chars IS NULL END
    """,
    f"""SELECT '{Check.SEAL}', 'document ' || encode(sha256, 'hex'), 'its hash is of an unknown kind' FROM document
    WHERE hash_kind NOT IN ('bytes', 'synthetic')""",
    f"""SELECT '{Check.ORPHAN}', 'exhibit ' || x.control, 'nothing that was found is this exhibit'
    FROM exhibit x LEFT JOIN ingestion i ON i.id = x.id WHERE i.id IS NULL""",
    f"""SELECT '{Check.FAMILY}', 'exhibit ' || x.control, 'it is said to be a copy of what it is no copy of'
    FROM exhibit x LEFT JOIN exhibit o ON o.id = x.copy_of WHERE x.copy_of IS NOT NULL
        AND (x.family <> x.id OR x.copy_key IS NULL OR o.copy_key IS DISTINCT FROM x.copy_key
            OR o.copy_of IS NOT NULL)""",
    f"""SELECT '{Check.FAMILY}', 'exhibit ' || min(x.control), count(*) || ' copies of it are kept in front'
    FROM exhibit x WHERE x.copy_key IS NOT NULL AND x.copy_of IS NULL GROUP BY x.copy_key HAVING count(*) > 1""",
    f"""SELECT '{Check.PENDING}', 'exhibit ' || p.exhibit, 'it waits to be loaded, but there is no such exhibit'
    FROM load_pending p LEFT JOIN exhibit x ON x.id = p.exhibit WHERE x.id IS NULL""",
    f"""SELECT '{Check.PENDING}', 'batch ' || b.id, count(*) || ' exhibits of it wait to be loaded; resume the batch'
    FROM load_pending p JOIN ingestion i ON i.id = p.exhibit JOIN batch b ON b.id = i.batch
    WHERE b.finished_ms IS NOT NULL AND b.id NOT IN (SELECT o.batch FROM ingestion o WHERE o.state <> '{Stage.DONE}')
    GROUP BY b.id""",
)

# of each work on a set of volumes: its context, and what is listed for it
LISTED_SETS = """SELECT d.id, d.context, v.number, c.sha256 FROM derivation d
    LEFT JOIN volume v ON v.derivation = d.id LEFT JOIN document c ON c.id = v.document
    WHERE d.purpose = 'read' AND d.context LIKE '%+%.%' ORDER BY d.id, v.number"""

DISCREPANCIES = f"""SELECT {WHO}, d.problems FROM derivation d JOIN ingestion i
        ON i.derivation = d.id AND i.document = d.document
    WHERE {says("d.problems", Code.COUNT_MISMATCH)} ORDER BY i.id"""

COUNTS = """SELECT count(*) FILTER (WHERE i.depth = 0), count(*), coalesce(sum(d.container), 0)
    FROM ingestion i LEFT JOIN derivation d ON d.id = i.derivation WHERE i.source = 0"""

BLOBS = """SELECT b.sha256, b.pack, b.offset, b.length, c.id, c.sha1, c.md5
    FROM blob b LEFT JOIN document c ON c.sha256 = b.sha256
    WHERE b.pack >= :first AND b.pack <= :last ORDER BY b.pack, b.offset"""

# (sha256, exhibit) of contents: as a native, as what was made of it, as a text of an overlay, or in a container that
# was not opened
AFFECTED = (
    f"""SELECT c.sha256, (SELECT {WHO} FROM ingestion i WHERE i.document = c.id LIMIT 1)
    FROM document c WHERE c.sha256 IN :shas""",
    f"""SELECT a.sha256, (SELECT {WHO} FROM ingestion i WHERE i.document = d.document LIMIT 1)
    FROM artifact a JOIN derivation d ON d.id = a.derivation WHERE a.sha256 IN :shas""",
    f"""SELECT v.blob, (SELECT {WHO} FROM ingestion i WHERE i.id = v.exhibit)
    FROM overlay_value v WHERE v.blob IN :shas""",
    f"""SELECT c.sha256, (SELECT {member_path(WHO, "m.name")} FROM ingestion i WHERE i.document = d.document LIMIT 1)
    FROM document c JOIN member m ON m.document = c.id JOIN derivation d ON d.id = m.derivation
    WHERE c.sha256 IN :shas""",
)
