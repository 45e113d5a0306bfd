"""Counts the words of a text, and the characters and neighbouring pairs of scripts that write no spaces.

Chinese and Japanese are not cut into words: that needs a dictionary, and a wrong cut looks like a fact. Single
characters and overlapping pairs need none, and a frequent pair nearly always is a word.
"""

import unicodedata
from collections import Counter
from typing import Any

from skill_io import answer_with, compact

COMMON_WORDS = frozenset(
    "a an and are as at be been but by can do for from had has have he her his i if in is it its me my not of on or "
    "our she so that the their them they this to was we were what which who will with you your".split()
)
COMMON_CHARACTERS = frozenset(
    "的了是在我有和就不人都一个上也很到说要去你会着没看好自己这那他她它们与及而于之为以被把让从对但或"
)
UNSPACED = (
    ("\u3400", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\u3005", "\u3007"),
    ("\u3041", "\u30ff"),
    ("\U00020000", "\U0003ffff"),
)


def tokens(text: str) -> tuple[list[str], list[str]]:
    """The words in lower case, and the runs of unspaced script, each in the order of the text.

    Compatibility forms are one with their plain ones first (full-width letters, ligatures). A word may hold digits,
    and an apostrophe or hyphen between letters.
    """
    words: list[str] = []
    runs: list[str] = []
    current, unspaced = "", False
    text = unicodedata.normalize("NFKC", text).replace("\u2019", "'").casefold()
    for index, character in enumerate(text + " "):
        kind = "run" if is_unspaced(character) else "word" if in_word(text, index, current) else ""
        if current and (not kind or (kind == "run") != unspaced):
            (runs if unspaced else words).append(current)
            current = ""
        if kind:
            current, unspaced = current + character, kind == "run"
    return words, runs


def is_unspaced(character: str) -> bool:
    return any(first <= character <= last for first, last in UNSPACED) and unicodedata.category(character)[0] != "P"


def in_word(text: str, index: int, before: str) -> bool:
    """Letters, digits and marks; and what joins two letters."""
    if index >= len(text):
        return False
    if text[index] in "'-":
        return bool(before) and before[-1].isalnum() and text[index + 1 : index + 2].isalnum()
    return unicodedata.category(text[index])[0] in "LNM"


def ranked(counter: Counter[str], top: int) -> list[list[Any]]:
    """The most frequent first; equal counts in the order of their code points, so that every run says the same."""
    return [[token, count] for token, count in sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:top]]


def answer(given: dict[str, Any]) -> str:
    words, runs = tokens(given["text"])
    top = given.get("top", 20)
    characters = Counter(character for run in runs for character in run)
    pairs = Counter(run[index : index + 2] for run in runs for index in range(len(run) - 1))
    counted = Counter(words)
    if given.get("skip_common", False):
        counted = Counter({word: count for word, count in counted.items() if word not in COMMON_WORDS})
        pairs = Counter({pair: count for pair, count in pairs.items() if not COMMON_CHARACTERS & set(pair)})
        characters = Counter({one: count for one, count in characters.items() if one not in COMMON_CHARACTERS})
    result: dict[str, Any] = {"wordsTotal": len(words), "wordsDistinct": len(set(words)), "words": ranked(counted, top)}
    if runs:
        result |= {
            "charactersTotal": sum(map(len, runs)),
            "characters": ranked(characters, top),
            "pairs": ranked(pairs, top),
        }
    return compact(result)


if __name__ == "__main__":
    answer_with(answer)
