"""The main text of a page as Markdown that shows no picture (§14.3)."""

import re
from typing import Any

from page_charset import decoded
from page_http import Page
from skill_io import Refused

MAX_CHARS = 48_000
MARK_OF_CUT = "\n\n…"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\U000e0000-\U000e007f]")
UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
PICTURE = re.compile(f"!([{UNSEEN}]*)\\[")
"""The opener of a picture, also where something unseen stands inside that a later hand may take out."""


def text_of(page: Page, url: str, extractor: Any) -> str:
    """Title, site and date if there are any, then the text. E_NO_CONTENT when nothing is left to read."""
    source = decoded(page.body, page.charset)
    if page.type == "text/plain":
        return finished([], source)
    # A page can be made so that a parser fails on it; that is no content, and no words of a parser.
    try:
        tree = extractor.load_html(source)
        about = extractor.extract_metadata(tree, default_url=url)
        body = extractor.extract(
            tree, url=url, output_format="markdown", include_links=True, include_tables=True, include_comments=False
        )
    except Exception:
        raise Refused("E_NO_CONTENT") from None
    title = one_line(about.title)
    source_line = " · ".join(line for line in (one_line(about.sitename), one_line(about.date)) if line)
    heading = f"# {title}"
    return finished(
        [heading] * bool(title) + [source_line] * bool(source_line), (body or "").removeprefix(heading + "\n")
    )


def one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def finished(head: list[str], body: str) -> str:
    """Cleans, escapes, cuts, in this order: a cut cannot open what an escape closed, and nothing joins after it."""
    body = CONTROLS.sub("", body.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not body:
        raise Refused("E_NO_CONTENT")
    text = without_pictures(CONTROLS.sub("", "\n\n".join([*head, body])))
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - len(MARK_OF_CUT)] + MARK_OF_CUT


def without_pictures(text: str) -> str:
    """No `![` is left. An escaped bracket opens no picture in any of Markdown's three forms; links stay links."""
    return PICTURE.sub(r"!\1\\[", text)
