"""The mails of the sample dispute: an order, a thread on faulty valves, a settlement."""

from datetime import UTC, datetime

from .archives import zipped, zipped_with_password
from .mails import Mail, eml
from .papers import BOARD_PASSWORD, CLAIM, DELIVERIES, PASSWORD, PRICES, agreement_docx, agreement_pdf
from .pdfs import pdf
from .pictures import logo, photograph

ARCHER = "Alex Archer <alex.archer@buyer.example.com>"
BAKER = "Blake Baker <blake.baker@buyer.example.com>"
COOPER = "Casey Cooper <casey.cooper@buyer.example.com>"
SELLER = "Sales Desk <sales@valves.example.org>"


def _sent(month: int, day: int, hour: int) -> datetime:
    return datetime(2023, month, day, hour, 15, tzinfo=UTC)


def archers_mails() -> dict[str, bytes]:
    mails = [_order(), _confirmation(), _newsletter(), _complaint(), _forward(), _letters()]
    return {f"{mail.number:03} {mail.subject.replace(':', '')}.eml": eml(mail) for mail in mails}


def bakers_mails() -> dict[str, bytes]:
    mails = [_confirmation(), _complaint(), _secret(), _overseas()]
    named = {f"{mail.number:03} {mail.subject.replace(':', '')}.eml": eml(mail) for mail in mails}
    return named | {"broken attachment.eml": _broken_attachment()}


def _order() -> Mail:
    order = pdf(["Order 4711", "", "200 valves, type VX-20, coated", "Delivery by 1 May 2023"], title="Order 4711")
    return Mail(
        number=1,
        sender=ARCHER,
        to=SELLER,
        cc=BAKER,
        subject="Order 4711 for 200 valves",
        sent=_sent(3, 14, 9),
        text="Dear colleagues,\n\nplease find our order attached. Delivery by 1 May is essential.\n\nAlex Archer\n",
        attachments={"order 4711.pdf": order, "prices.csv": PRICES},
    )


def _confirmation() -> Mail:
    return Mail(
        number=2,
        sender=SELLER,
        to=ARCHER,
        cc=BAKER,
        subject="Re: Order 4711 for 200 valves",
        sent=_sent(3, 15, 10),
        answers=1,
        text="Thank you for the order. We confirm price and delivery date.\n\n> Delivery by 1 May is essential.\n",
        attachments={"Supply agreement.docx": agreement_docx()},
    )


def _newsletter() -> Mail:
    return Mail(
        number=3,
        sender=SELLER,
        to=ARCHER,
        subject="Spring offers",
        sent=_sent(4, 3, 8),
        text="Our spring offers are best read as HTML.\n",
        html='<html><body><h1>Spring offers</h1><img src="cid:picture"><p>Valves, pumps &amp; <b>gaskets</b>.</p>'
        '<img src="http://tracker.example.net/pixel.gif"></body></html>\n',
        picture=logo(),
    )


def _complaint() -> Mail:
    return Mail(
        number=4,
        sender=ARCHER,
        to=SELLER,
        cc=BAKER,
        subject="Re: Order 4711 - faulty coating",
        sent=_sent(5, 2, 15),
        answers=2,
        text="The coating of 38 valves is damaged. We withhold payment until they are replaced.\n",
        attachments={
            "damage.jpg": photograph("Crate 7"),
            "claim.zip": zipped({"claim.txt": CLAIM, "deliveries.csv": DELIVERIES}),
        },
    )


def _forward() -> Mail:
    inner = Mail(
        number=5,
        sender=BAKER,
        to=ARCHER,
        subject="Fwd: coating",
        sent=_sent(5, 3, 9),
        text="Below is what they promised.\n",
        forwarded=(_confirmation(), _complaint()),
    )
    return Mail(
        number=6,
        sender=ARCHER,
        to=COOPER,
        subject="Fwd: Fwd: coating",
        sent=_sent(5, 3, 11),
        text="Casey, please advise on the whole chain below. Privileged and confidential.\n",
        forwarded=(inner,),
    )


def _letters() -> Mail:
    return Mail(
        number=7,
        sender=ARCHER,
        to="Zoë Müller <zoe.mueller@haendler.example.de>",
        subject="Prüfung der Ventile",
        sent=_sent(5, 9, 16),
        charset="iso-8859-1",
        text="Sehr geehrte Frau Müller,\n\nbitte prüfen Sie die Beschichtung der Ventile.\n\nMit freundlichen Grüßen\n",
    )


def _secret() -> Mail:
    locked = zipped_with_password(
        "settlement figures.txt", b"Our limit is 41,500. Do not disclose.\n", PASSWORD.encode()
    )
    return Mail(
        number=8,
        sender=COOPER,
        to=BAKER,
        subject="Settlement figures",
        sent=_sent(6, 1, 17),
        text=f"The figures are in the archive. The password is {PASSWORD}\nThe minutes open with {BOARD_PASSWORD}\n",
        attachments={"figures.zip": locked, "Supply agreement.pdf": agreement_pdf()},
    )


def _overseas() -> Mail:
    return Mail(
        number=9,
        sender="工場 <factory@valves.example.jp>",
        to=BAKER,
        subject="バルブの検査",
        sent=_sent(6, 12, 2),
        charset="iso-2022-jp",
        text="検査の結果を送ります。\n",
    )


def _broken_attachment() -> bytes:
    """One part of this message is not base64, whatever its header says."""
    return (
        b"From: Sales Desk <sales@valves.example.org>\r\nTo: blake.baker@buyer.example.com\r\n"
        b"Subject: Replacement schedule\r\nDate: Thu, 15 Jun 2023 08:00:00 +0000\r\nMIME-Version: 1.0\r\n"
        b'Message-ID: <0010@mail.example.com>\r\nContent-Type: multipart/mixed; boundary="cut"\r\n\r\n'
        b"--cut\r\nContent-Type: text/plain\r\n\r\nThe schedule is attached.\r\n"
        b'--cut\r\nContent-Type: application/pdf; name="schedule.pdf"\r\nContent-Transfer-Encoding: base64\r\n'
        b'Content-Disposition: attachment; filename="schedule.pdf"\r\n\r\nJVBERi0x!!!this is not base64\x80\r\n'
        b"--cut--\r\n"
    )
