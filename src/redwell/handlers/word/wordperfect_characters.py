"""WordPerfect's own character sets as data. Used by the WordPerfect handler in a child."""

# what the codes 1 to 32 stand for in a text of version 6 and later
DEFAULT = "åÅæÆäÄáàâãÃçÇëéÉèêíñÑøØõÕöÖüÜúùß"

_FIRST_LETTER = 23  # accents that combine with the letter before come first
_MULTINATIONAL = (
    "ßĸȷÁáÂâÄäÀàÅåÆæÇçÉéÊêËëÈèÍíÎîÏïÌìÑñÓóÔôÖöÒòÚúÛûÜüÙùŸÿÃãĐđØøÕõÝýÐðÞþĂăĀāĄąĆćČčĈĉĊċĎďĚěĖėĒēĘęǴǵĞğǦǧĢģĜĝĠġĤĥĦħİi"
    "ĪīĮįĨĩĲĳĴĵĶķĹĺĽľĻļĿŀŁłŃńŉŉŇňŅņŐőŌōŒœŔŕŘřŖŗŚśŠšŞşŜŝŤťŢţŦŧŬŭŰűŪūŲųŮůŨũŴŵŶŷŹźŽžŻż"
)
_QUOTES = "\u201b\u2019\u2018\u201f\u201d\u201c\u2013\u2014\u2039\u203a"
_TYPOGRAPHIC = f"●○■•*¶§¡¿«»£¥₧ƒªº½¼¢²ⁿ®©¤¾³{_QUOTES}○□†‡™℠℞"
_FURTHER = {(4, 56): "…", (4, 72): "€"}
_SETS = {1: (_MULTINATIONAL, _FIRST_LETTER), 4: (_TYPOGRAPHIC, 0)}


def character(code: bytes) -> str:
    """The character with this number and set; the replacement character where we have no table for it."""
    if len(code) < 2:
        return ""
    number, charset = code
    if charset == 0:
        return chr(number) if 0x20 <= number < 0x7F else ""
    table, first = _SETS.get(charset, ("", 0))
    if first <= number < first + len(table):
        return table[number - first]
    return _FURTHER.get((charset, number), "\ufffd")
