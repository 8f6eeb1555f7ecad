"""Metadata of load files and transcripts: the part of the catalogue that is about what parties exchange. A table."""

OF_PRODUCTIONS: dict[str, tuple[str, str]] = {
    # load files
    "loadfile_kind": ("delimited, opticon, lfp, dii or edrm", "load files"),
    "loadfile_rows": ("records or pages that it lists", "load files"),
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
    "exhibits_marked": ("exhibits that were marked, each with page and line", "transcripts"),
}
