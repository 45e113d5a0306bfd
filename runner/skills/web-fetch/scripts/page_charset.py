"""Reads a body as text, whatever its author said or forgot to say about its encoding."""

import re

CODECS = {
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8",
    "gb18030": "gb18030 gbk gb2312 gb_2312-80 x-gbk chinese csgb2312 iso-ir-58",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5 csbig5",
    "cp932": "shift_jis shift-jis sjis x-sjis windows-31j ms932 csshiftjis",
    "euc_jp": "euc-jp x-euc-jp cseucpkdfmtjapanese",
    "iso2022_jp": "iso-2022-jp csiso2022jp",
    "cp949": "euc-kr ks_c_5601-1987 korean windows-949 ksc5601",
    "cp1250": "windows-1250 cp1250 x-cp1250",
    "cp1251": "windows-1251 cp1251 x-cp1251",
    "cp1252": "windows-1252 cp1252 iso-8859-1 latin1 ascii us-ascii iso8859-1 l1",
    "cp1253": "windows-1253 cp1253",
    "cp1254": "windows-1254 iso-8859-9 latin5",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "cp1257": "windows-1257",
    "cp1258": "windows-1258",
    "iso8859_2": "iso-8859-2 latin2",
    "iso8859_5": "iso-8859-5",
    "iso8859_7": "iso-8859-7 greek",
    "iso8859_15": "iso-8859-15 latin9",
    "koi8_r": "koi8-r koi",
    "koi8_u": "koi8-u",
    "cp874": "windows-874 tis-620 iso-8859-11",
    "utf-16-le": "utf-16 utf-16le",
    "utf-16-be": "utf-16be",
}
LABELS = {label: codec for codec, labels in CODECS.items() for label in labels.split()}
"""The closed set of encodings. A label is data from outside and never reaches Python's own table of codecs."""

BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
META = re.compile(rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{1,40})[\"']", re.IGNORECASE)
PRESCAN_BYTES = 4_096
TOLERATED = 0.01
"""The share of characters that may be broken before a declaration counts as wrong."""


def decoded(body: bytes, declared: str) -> str:
    """The text, by the first of: a byte order mark; UTF-8 if it is that throughout; what head or page declare, if that
    fits; a guess. UTF-8 goes before declarations because other text is valid UTF-8 only by an accident that gets rarer
    with each character, while wrong declarations are common.
    """
    for mark, codec in BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    try:
        text = body.decode("utf-8")
        if not is_escaped_japanese(body):
            return text
    except UnicodeDecodeError:
        pass
    for label in (declared, *declared_inside(body)):
        codec = LABELS.get(label.strip().lower(), "")
        text = body.decode(codec, "replace") if codec else ""
        if text and text.count("\ufffd") <= len(text) * TOLERATED:
            return text
    return guessed(body)


def is_escaped_japanese(body: bytes) -> bool:
    """ISO-2022-JP is ASCII with escapes, so it would pass for UTF-8."""
    return b"\x1b$B" in body or b"\x1b$@" in body


def declared_inside(body: bytes) -> list[str]:
    head = body[:PRESCAN_BYTES]
    return [match[1].decode("ascii") for match in (META.search(head), XML.search(head)) if match]


def guessed(body: bytes) -> str:
    """By how its text would read, if the package for that is there. At last by the superset of Latin letters."""
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return body.decode("cp1252", "replace")
    best = from_bytes(
        body, cp_isolation=["gb18030", "big5", "cp932", "euc_jp", "iso2022_jp", "cp949", "cp1251", "cp1252"]
    ).best()
    return str(best) if best else body.decode("cp1252", "replace")
