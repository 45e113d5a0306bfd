"""From the bytes of a page to its main text: encodings, extraction, and no picture in what comes out."""

import re
import unittest
from unittest import mock

from kit import ask, code_of, module, run

page_text = module("page_text")
decoded = module("page_charset").decoded
Page = module("page_http").Page

try:
    import trafilatura
except ImportError:
    trafilatura = None

CHINESE = "欢迎阅读这篇关于编码的文章，它的内容足够长，可以看出用的是哪一种编码。"
JAPANESE = "この文章は文字コードについてのもので、どの符号化か分かるだけの長さがあります。"
RUSSIAN = "Эта статья о кодировках достаточно длинна, чтобы узнать, какая из них была выбрана."


class Charsets(unittest.TestCase):
    def test_what_is_declared_is_used_wherever_it_stands(self):
        for text, codec, label in [
            (CHINESE, "gbk", "GBK"), (CHINESE, "gb18030", "gb2312"), (CHINESE, "big5", "Big5"),
            (JAPANESE, "shift_jis", "Shift_JIS"),
            (JAPANESE, "euc_jp", "EUC-JP"), (JAPANESE, "iso2022_jp", "iso-2022-jp"),
            (RUSSIAN, "cp1251", "windows-1251"),
            (RUSSIAN, "koi8_r", "KOI8-R"), ("naïve café", "latin-1", "iso-8859-1"),
            ("“quotes”", "cp1252", "ISO-8859-1"),
        ]:  # fmt: skip
            try:
                body = text.encode(codec)
            except UnicodeEncodeError:
                text = "歡迎閱讀這篇關於編碼的文章"
                body = text.encode(codec)
            with self.subTest(label):
                self.assertEqual(decoded(body, label), text)
                for inside in (
                    f'<meta charset="{label}">',
                    f"<META http-equiv=x content='text/html; charset={label}'>",
                ):
                    self.assertEqual(decoded(inside.encode() + body, ""), inside + text)
                xml = f'<?xml version="1.0" encoding="{label}"?>'
                self.assertEqual(decoded(xml.encode() + body, ""), xml + text)

    def test_a_wrong_declaration_does_not_win_over_the_bytes(self):
        for declared in ("gbk", "iso-8859-1", "shift_jis", "utf-16", "nonsense", ""):
            with self.subTest(f"{declared} for utf-8"):
                self.assertEqual(decoded(CHINESE.encode(), declared), CHINESE)

    @unittest.skipUnless(trafilatura, "the packages of runner/requirements.txt are not installed here")
    def test_undeclared_and_wrongly_declared_encodings_are_guessed(self):
        for text, codec in (
            (CHINESE * 3, "gb18030"),
            (JAPANESE * 3, "cp932"),
            (JAPANESE * 3, "euc_jp"),
            (RUSSIAN * 3, "cp1251"),
        ):
            for declared in ("", "utf-8", "nonsense"):
                with self.subTest(f"{declared} for {codec}"):
                    self.assertEqual(decoded(text.encode(codec), declared), text)

    def test_one_broken_byte_does_not_make_a_declaration_wrong(self):
        body = (CHINESE * 8).encode("gbk")
        text = decoded(body[:60] + b"\xff" + body[60:], "gbk")
        self.assertEqual(text.replace("\ufffd", "")[-90:], (CHINESE * 8)[-90:])

    def test_a_byte_order_mark_decides(self):
        self.assertEqual(decoded(b"\xef\xbb\xbf" + "é".encode(), "gbk"), "é")
        self.assertEqual(decoded(b"\xff\xfe" + "é中".encode("utf-16-le"), "utf-8"), "é中")
        self.assertEqual(decoded(b"\xfe\xff" + "é中".encode("utf-16-be"), ""), "é中")

    def test_a_label_never_reaches_python_s_own_codecs(self):
        for label in (
            "rot13",
            "zlib",
            "unicode_escape",
            "raw_unicode_escape",
            "idna",
            "punycode",
            "utf-7",
            "mbcs",
            "base64",
            "../x",
        ):
            with self.subTest(label):
                self.assertEqual(decoded(b"uryyb +AGE- \\x41", label), "uryyb +AGE- \\x41")
                self.assertNotIn(label, module("page_charset").LABELS)

    def test_the_search_for_a_declaration_is_linear(self):
        body = b"<meta" * 50_000 + b"\xff"
        self.assertTrue(decoded(body, "latin1").endswith("ÿ"))
        self.assertEqual(module("page_charset").declared_inside(b"<meta charset='a'" * 9), ["a"])


class Pictures(unittest.TestCase):
    def finished(self, *given: str) -> str:
        return page_text.finished([], "".join(given))

    def test_no_opener_of_a_picture_is_left_in_any_of_its_forms(self):
        for text in ("![a](x)", "![a][b]", "![a]", "x![[a]](y)", "!![a](x)", "!\n[a](x)"):
            with self.subTest(text):
                self.assertNotIn("![", self.finished(text))
        self.assertEqual(self.finished("wow![a](x) ![b]"), "wow!\\[a](x) !\\[b]")

    def test_something_unseen_between_the_two_marks_does_not_hide_them(self):
        for unseen in (
            "\u200b",
            "\u00ad",
            "\u2060",
            "\ufeff",
            "\u200d\u200c",
            "\ufe0f",
            "\x00",
            "\x1b",
            "\u2028",
            "\U000e0041",
            "\u3164",
        ):
            with self.subTest(ascii(unseen)):
                text = self.finished(f"!{unseen}[a](x)")
                self.assertEqual(re.sub("[^!-~]", "", text), "!\\[a](x)")

    def test_links_and_escapes_stay(self):
        text = "[a](https://example.com/) !\\[b] \\[c] ! [d] a!"
        self.assertEqual(self.finished(text), text)

    def test_a_cut_neither_exceeds_the_bound_nor_opens_a_picture(self):
        for length in range(47_990, 48_004):
            text = self.finished("x" * (length - 4) + "![a](y)" * 3)
            self.assertLessEqual(len(text), 48_000)
            self.assertNotIn("![", text)
        self.assertEqual(self.finished("x" * 48_000), "x" * 48_000)
        self.assertTrue(self.finished("x" * 48_001).endswith("x\n\n…"))

    def test_plain_text_is_taken_as_it_is_and_cleaned(self):
        page = Page("text/plain", "", "a\r\nb\x00\x1b[31m![p](q)\rc\u2028d\n".encode())
        self.assertEqual(page_text.text_of(page, "https://example.com/", None), "a\nb[31m!\\[p](q)\ncd")
        for body in (b"", b" \r\n\t ", b"\x00\x01"):
            self.assertEqual(code_of(page_text.text_of, Page("text/plain", "", body), "", None), "E_NO_CONTENT")


ARTICLE = """<!doctype html><html><head><title>{title}</title><meta property="og:site_name" content="{site}">
<meta property="article:published_time" content="2026-03-01"></head><body>
<nav><a href="/menu">Menu entry</a></nav><article><h1>{title}</h1><p>{text}</p>
<p>{text} <img src="https://evil.example.com/p.png" alt="alt"> wow!<a href="/more">more of it</a></p></article>
<footer>Imprint</footer><script>alert("script")</script></body></html>"""


@unittest.skipUnless(trafilatura, "the packages of runner/requirements.txt are not installed here")
class Extraction(unittest.TestCase):
    def text(self, html: str, charset: str = "utf-8") -> str:
        return page_text.text_of(
            Page("text/html", charset, html.encode(charset or "utf-8")), "https://example.com/a/", trafilatura
        )

    def article(
        self, text: str = "A sentence that is long enough to count as content. " * 6, title: str = "T", site: str = "S"
    ) -> str:
        return ARTICLE.format(text=text, title=title, site=site)

    def test_title_site_date_and_main_text_come_out_once_and_nothing_around_them(self):
        sentence = "A sentence that is long enough to count as content. " * 6
        self.assertEqual(
            self.text(self.article(title="The title", site="The site")).split("\n"),
            [
                "# The title",
                "",
                "The site · 2026-03-01",
                "",
                sentence.strip(),
                "",
                f"{sentence}  wow!\\[more of it](https://example.com/more)",
            ],
        )

    def test_a_link_behind_an_exclamation_mark_does_not_become_a_picture(self):
        text = self.text(self.article())
        self.assertIn("[more of it](https://example.com/more)", text)
        self.assertNotIn("![", text)

    def test_pictures_written_into_text_title_and_site_are_escaped(self):
        text = self.text(
            self.article(text="![a](x) ![a][b] ![a] and some more words around. " * 6, title="![t](x)", site="![s](x)")
        )
        self.assertIn("a", text)
        self.assertNotIn("![", text)

    def test_a_title_cannot_start_a_line_of_its_own(self):
        self.assertEqual(self.text(self.article(title="one\n\n# two")).split("\n")[0], "# one # two")

    def test_chinese_pages_come_out_in_any_encoding(self):
        for charset in ("gbk", "utf-8", "gb18030"):
            self.assertIn(CHINESE, self.text(self.article(text=CHINESE * 4, title="标题"), charset))

    def test_pages_without_content_and_pages_made_to_break_are_no_content(self):
        for html in ("", "<html></html>", "<script>1</script>", "\x00", "<p>", "<!doctype html>" + "<div>" * 20_000):
            with self.subTest(html[:30]):
                self.assertEqual(code_of(self.text, html), "E_NO_CONTENT")
        with mock.patch.object(trafilatura, "extract", side_effect=RecursionError):
            self.assertEqual(code_of(self.text, self.article()), "E_NO_CONTENT")


class WholeRuns(unittest.TestCase):
    def test_without_its_packages_the_skill_says_so_before_it_connects(self):
        with (
            mock.patch.dict("sys.modules", {"trafilatura": None}),
            mock.patch.object(module("fetch_page"), "look_up") as look_up,
        ):
            self.assertEqual(ask("fetch_page", url="https://example.com/"), "E_NOT_INSTALLED")
        look_up.assert_not_called()

    def test_a_run_says_one_code_and_nothing_else(self):
        self.assertEqual(run("web-fetch", "fetch_page.py", {"url": "http://example.com/"}), (2, "E_BAD_URL\n", ""))
        known = "E_UNFETCHABLE\n" if trafilatura else "E_NOT_INSTALLED\n"
        self.assertEqual(run("web-fetch", "fetch_page.py", {"url": "https://example.com/"}), (2, known, ""))

    def test_nothing_but_the_address_is_read_from_the_input(self):
        given = {"url": "https://localhost/", "port": 1, "ca": "/x", "resolve": {"localhost": ["127.0.0.1"]}}
        self.assertEqual(run("web-fetch", "fetch_page.py", given), (2, "E_BAD_URL\n", ""))
