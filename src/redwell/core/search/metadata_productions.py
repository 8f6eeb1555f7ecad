"""Metadata of load files and transcripts: the part of the catalogue that is about what parties exchange. A table."""

from redwell.core.loadfiles.fields import FIELDS as LOAD_FILE_FIELDS
from redwell.core.loadfiles.records.record_names import NAMES

OF_PRODUCTIONS: dict[str, tuple[str, str]] = {
    # load files
    "loadfile_kind": ("delimited, opticon, lfp, dii or edrm", "load files"),
    "loadfile_rows": ("records or pages that it lists", "load files"),
    # volumes and their records; every field of docs/loadfiles.md may be there, too, and columns under their own names
    "volume": ("name of the volume", "volumes, records"),
    "loadfiles": ("its load files, and how each is written", "volumes"),
    "volume_rows": ("rows of its load files", "volumes"),
    "volume_page_documents": ("documents that only page files name", "volumes"),
    "volume_records": ("records among its exhibits", "volumes"),
    "volume_rows_lost": ("rows that are no record", "volumes"),
    "volume_families": ("records with others attached", "volumes"),
    "volume_files": ("files", "volumes"),
    "volume_load_files": ("load files among them", "volumes"),
    "volume_files_named": ("files that rows name", "volumes"),
    "volume_files_not_named": ("files that no row names, which are exhibits of their own", "volumes"),
    "volume_paths": ("paths that rows name", "volumes"),
    "volume_paths_found": ("of these, those that are there", "volumes"),
    "volume_paths_missing": ("of these, those that are not", "volumes"),
    "volume_path": ("path in the volume of a file that no row names", "volumes"),
    "loadfile_named": ("whether a row names the file", "volumes"),
    "record_id": ("id of the record", "records"),
    "bates": ("first and last page of a record", "records"),
    "loadfile": ("load file that a record stands in", "records"),
    "loadfile_row": ("its row there, the header counted", "records"),
    "native_path": ("path of its native in the volume", "records"),
    "native_sha256": ("SHA-256 of its native", "records"),
    "native_size": ("bytes of its native", "records"),
    "text_path": ("path of its text in the volume", "records"),
    "pages_given": ("pages that came as pictures or PDF", "records"),
    # transcripts
    "deponent": ("who was heard", "transcripts"),
    "taken_on": ("day of the hearing or deposition", "transcripts"),
    "transcript_volume": ("volume", "transcripts"),
    "case_number": ("number of the case, as the transcript states it", "transcripts"),
    "reporter": ("who took it down", "transcripts"),
    "transcript_form": ("page-image, left-margin, page:line or opendvt", "transcripts"),
    "first_page": ("number of the first page", "transcripts"),
    "last_page": ("number of the last page", "transcripts"),
    "lines_per_page": ("lines of the longest page", "transcripts"),
    "numbered_lines": ("lines that have a number", "transcripts"),
    "question_lines": ("lines of questions", "transcripts"),
    "answer_lines": ("lines of answers", "transcripts"),
    "q": ("words of questions; searched as `q:`, and shown nowhere", "transcripts"),
    "a": ("words of answers; searched as `a:`, and shown nowhere", "transcripts"),
    "exhibits_marked": ("exhibits that were marked, each with page and line", "transcripts"),
}
# of records, where no other document has such a field
OF_RECORDS = {NAMES.get(name, name): (field.meaning, "records") for name, field in LOAD_FILE_FIELDS.items()}
