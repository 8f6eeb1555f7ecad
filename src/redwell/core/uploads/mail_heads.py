"""What the head of a mail says of it, for a list of arrivals. Pure; none of it is trusted."""

from email import message_from_bytes, policy

_SAID = ("From", "To", "Subject", "Date", "Message-ID")
_LONGEST, _MOST = 65_536, 500


def told_by_head(raw: bytes) -> dict[str, str]:
    """Headers alone, as they are written."""
    head = min(raw[:_LONGEST].split(b"\r\n\r\n", 1)[0], raw[:_LONGEST].split(b"\n\n", 1)[0], key=len)
    mail = message_from_bytes(head, policy=policy.compat32)
    return {name.lower(): " ".join(str(mail[name]).split())[:_MOST] for name in _SAID if mail[name]}
