"""Transcripts of a made-up deposition in each of the forms that court reporters write."""

WORDS = [
    *(
        "UNITED STATES DISTRICT COURT",
        "Civil Action No. 3:21-cv-00417",
        "DEPOSITION OF",
        "JANE Q. ROE, M.D.",
        "VOLUME II",
    ),
    *("Taken on March 4, 2021", "Reported by: Pat Stone", "", "JANE Q. ROE, having been first duly sworn,"),
    *("was examined as follows:", "EXAMINATION", "BY MR. DOE:", "Q.   State your name.", "A.   Jane Roe."),
    *(
        "Q.   Is this your letter of the ninth",
        "     of May?",
        "     (Exhibit 12 was marked.)",
        "     MS. LEE:  Objection.",
    ),
    *("     THE WITNESS:  It is.", "Q.   I ask that this be marked as", "     Exhibit 13-A.", "A.   Yes."),
    *("Q.   Thank you.", "A.   Of course.", "     (Recess.)"),
]


def page_words(page: int) -> list[str]:
    return WORDS if page == 1 else [f"Q.   Question {line} of page {page}?" for line in range(1, 26)]


def page_image(first: int, pages: int, *, feeds: bool = True, above: bool = True, blank_between: bool = False) -> str:
    """25 numbered lines a page, the page's number alone at the right or below the lines."""
    made = []
    for at in range(1, pages + 1):
        number = f"{'':50}{first + at - 1}\n"
        gap = "\n" if blank_between else ""
        lines = "".join(f"{line:>4}   {words}".rstrip() + f"\n{gap}" for line, words in enumerate(page_words(at), 1))
        made.append(f"{number}\n{lines}" if above else f"{lines}\n{number}")
    return ("\f" if feeds else "").join(made)


def left_margin(first: int, pages: int) -> str:
    """Amicus and Summation: the page's number with zeros at the left margin."""
    return "".join(
        f"{first + at - 1:04}\n" + "".join(f"{line:>3}   {words}\n" for line, words in enumerate(page_words(at), 1))
        for at in range(1, pages + 1)
    )


def page_and_line(first: int, pages: int) -> str:
    return "".join(
        f"{first + at - 1:05}:{line:02}  {words}\n"
        for at in range(1, pages + 1)
        for line, words in enumerate(page_words(at), 1)
    )


DVT = """<?xml version="1.0" encoding="ISO-8859-1"?>
<OpenDVT UUID="x" Type="Deposition" Version="1.4"><Information><Case><MatterNumber>07-1315</MatterNumber></Case>
<Deponent><FirstName>Jané</FirstName><LastName>Roe</LastName></Deponent><Volume>2</Volume>
<TakenOn>2021-03-04</TakenOn><FirstPageNo>5</FirstPageNo></Information>
<Lines Count="{count}">{lines}</Lines><Streams Count="1"><Stream ID="0"><URI>a.mpg</URI></Stream></Streams></OpenDVT>"""


def dvt(count: int = 50) -> bytes:
    lines = "".join(
        f'<Line ID="{n}"><TimeMs>{n}</TimeMs><PageNo>{5 + n // 25}</PageNo><LineNo>{n % 25 + 1}</LineNo><QA>-</QA>'
        f"{'' if n == 3 else f'<Text>   Q.   Why {n}?</Text>'}</Line>"
        for n in range(50)
    )
    return DVT.format(count=count, lines=lines).encode("latin-1")
