"""Names that people carry on the site."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Set
from itertools import pairwise
from typing import Protocol

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

from ccg.people import KEY_LENGTH, called, name_key, plain

CALLSIGNS = """
    Viper Raptor Talon Ember Comet Falcon Nomad Drifter Beacon Lancer Harrier Osprey Sable Cinder Tempest
    Vanguard Wayfarer Kestrel Pulsar Meteor Zephyr Corsair Marlin Jackal Bison Cobalt Onyx Quartz Saber Torch
""".split()

_LIKE_LATIN = {
    "A": "АΑꓮᎪᴀ",
    "a": "аɑα",
    "B": "ВΒꓐᏴʙ",
    "b": "ƅ",
    "C": "СꓚⲤᏟᴄ",
    "c": "сϲ",
    "D": "ꓓᎠᴅ",
    "d": "ԁ",
    "E": "ЕΕꓰᎬᴇ",
    "e": "е",
    "F": "ꓝ",
    "G": "ꓖᏀɢ",
    "g": "ցɡ",
    "H": "НΗꓧⲎᎻ",
    "h": "һհ",
    "I": "ІΙꓲⲒɪ",
    "i": "іᎥıι",
    "J": "ЈꓙᎫᴊ",
    "j": "ј",
    "K": "КΚꓗⲔᏦᴋ",
    "L": "ꓡᏞʟ",
    "l": "ӏ",
    "M": "МΜꓟⲘᎷᴍ",
    "N": "ΝꓠⲚɴ",
    "n": "ո",
    "O": "ОΟꓳⲞᴏ",
    "o": "оοօ",
    "P": "РΡꓑⲢᏢᴘ",
    "p": "рρ",
    "q": "ԛ",
    "R": "ꓣᎡᏒʀ",
    "S": "ЅꓢᏕᏚՏ",
    "s": "ѕ",
    "T": "ТΤꓔⲦᎢᴛ",
    "U": "ꓴᴜ",
    "u": "սυ",
    "V": "ꓦᏙᴠ",
    "v": "ν",
    "W": "ꓪᎳᏔᴡ",
    "w": "ԝ",
    "X": "ХΧꓫⲬ",
    "x": "х",
    "Y": "УΥꓬⲨʏҮ",
    "y": "уү",
    "Z": "ΖꓜᏃᴢ",
}
"""Letters of other alphabets, and small forms of Latin ones, by the letter of A to Z that they look like."""
_LATIN = str.maketrans({sign: letter for letter, signs in _LIKE_LATIN.items() for sign in signs})
_AS_LETTERS = str.maketrans("01l3457@$|!", "oiieastasii")
"""Digits and signs that are read as letters where a word wants them, and l as i, which it looks like."""


def _as_read(text: str) -> str:
    """Return ``text`` as it is read at a glance: without accents, spaces and signs, what looks alike the same."""
    bare = (sign for sign in unicodedata.normalize("NFKD", text) if unicodedata.category(sign)[0] != "M")
    return re.sub(r"[\W_]", "", "".join(bare).translate(_LATIN).casefold().translate(_AS_LETTERS))


_TWINS = str.maketrans("1i|0", "lllo")
"""Signs that look like another one in one of their two sizes, with that one: a capital I is an l."""
NAME_TAKEN = "Another player has this name."
NAME_LIKE_ANOTHER = "This looks like the name of another player."
_GUEST = "Guest "
_OURS = frozenset(map(_as_read, ("Computer", "Former player")))
"""What seats are called that no player has, as it is read (``matches.seats``, ``matches.lobby.seating``)."""
_STAFF = "|".join(map(_as_read, settings.NAMES_OF_STAFF))
_OFFICES = "|".join(map(_as_read, ("the", "site", "ragtag", "fleet", "head", "chief", "official")))
_OF_STAFF = re.compile(
    rf"(?:{_OFFICES}|{_STAFF})*(?:{_STAFF})s?(?:team)?|(?:the)?(?:site|{_as_read('Ragtag Fleet')})team"
    rf"|{_as_read('Ragtag Fleet')}"
)
"""What people would take for those who look after the site, as it is read."""
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0\U0001d159\U000e0100-\U000e01ef]"
    "|[\ufe00-\ufe0e]|(?:^|[\\w ])\ufe0f|\ufffd"
)
"""Signs that count as printable and show nothing; \\ufe0f may make a picture of a sign that is no letter.

And \\ufffd, which stands for what could not be read: staff cannot look for it."""
MOST_MARKS = 3
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
"""Alphabets with letters that look like those of another."""
_BESIDE = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "MODIFIER"})
"""Scripts that people write beside letters of those alphabets; of others, a zero or a letter looks like an o."""
_BARS_AND_RINGS = frozenset(
    "\u01c0\u05c0\u0964\u2223\u23ae\u23d0\u2502\u2503\u2758\u2218\u25e6\u25cb\u25ef\u26ac\u3147\u3163\u110b\u1175"
)
"""Signs that are read as l or o between letters."""

username_validators = [
    RegexValidator(r"\A[A-Za-z0-9_.-]+\Z", "Use letters A to Z, digits, and the signs _ . - only."),
    RegexValidator(r"\A[A-Za-z0-9]", "Start the name with a letter or a digit."),
]


class Named(Protocol):
    """Somebody who has a display name."""

    display_name: str


def new_guest_name() -> str:
    """Return a name for a guest, such as "Guest Viper 4821"; somebody else may have it already."""
    return f"{_GUEST}{secrets.choice(CALLSIGNS)} {1000 + secrets.randbelow(9000)}"


def display_name(user: Named) -> str:
    """Return how ``user`` is called on pages and at tables."""
    return user.display_name


def validate_display_name(name: str, *, staff: bool = False) -> None:
    """Raise ValidationError unless the name can be read, fits an address, and passes neither for a guest's nor ours.

    What sounds like those who look after the site is for ``staff``.
    """
    shown = plain(name)
    if not (name.isprintable() and shown == " ".join(shown.split()) and name == " ".join(name.split())):
        raise ValidationError("Use letters, digits and signs that can be seen, with single spaces between words.")
    if _INVISIBLE.search(name) or not any(unicodedata.category(sign)[0] in "LNPS" for sign in shown):
        raise ValidationError("Use letters, digits and signs that can be seen.")
    if any(_mixes(word) for word in shown.split()):
        raise ValidationError("Use letters of one alphabet in a word: those of another look the same, and are not.")
    if _heaps_marks(name) or _heaps_marks(shown):
        raise ValidationError("Accents stand on a letter, three on each at most.")
    if "/" in shown or shown in (".", ".."):
        raise ValidationError("Names have no / in them, and are more than dots: they stand in addresses.")
    read = _as_read(re.sub(r"[\W\d_]+\Z", "", shown))
    if read.startswith(_as_read(_GUEST)):
        raise ValidationError("Names that begin with “Guest” are for guests.")
    if read in _OURS:
        raise ValidationError("This is what the site calls the computer, or players who have left.")
    if _OF_STAFF.fullmatch(read) and not staff:
        raise ValidationError("This would pass for somebody who looks after the site.")


def refuse_taken(name: str, own: int | None) -> None:
    """Raise ValidationError if anybody but the person with the key ``own`` is called ``name``, or looks so called."""
    others = get_user_model().objects.exclude(pk=own)
    if others.filter(called(name)).exists():
        raise ValidationError(NAME_TAKEN)
    if others.filter(look_key=look_key(name)).exists():
        raise ValidationError(NAME_LIKE_ANOTHER)


def why_taken(name: str, own: int | None) -> str:
    """Return what to say of ``name``, which the database has refused although it was free as it was checked."""
    try:
        refuse_taken(name, own)
    except ValidationError as error:
        return str(error.messages[0])
    return NAME_TAKEN


def look_key(name: str) -> str:
    """Return what is the same for all names that look like ``name``, in whatever letters each is written."""
    return name_key(plain(name).translate(_LATIN)).translate(_TWINS)[:KEY_LENGTH]


def _alphabets(word: str) -> set[str]:
    """Return the alphabets of ``word`` that have letters in common, to look at: ``Computer`` may have a Cyrillic C."""
    first_words = {unicodedata.name(sign, "").partition(" ")[0] for sign in word}
    return first_words & _ALIKE


def _mixes(word: str) -> bool:
    """Return whether ``word`` has letters of one of these alphabets, and signs of another one that look like them."""
    own = _alphabets(word)
    return len(own) > 1 or (len(own) == 1 and any(_is_strange(sign, own | _BESIDE) for sign in word))


def _is_strange(sign: str, alphabets: Set[str]) -> bool:
    if sign in _BARS_AND_RINGS:
        return True
    is_written = unicodedata.category(sign)[0] in "LN" and not sign.isascii()
    return is_written and unicodedata.name(sign, "").partition(" ")[0] not in alphabets


def _heaps_marks(name: str) -> bool:
    """Return whether an accent stands on nothing, or more of them on one sign than any language has."""
    run = 0
    for before, sign in pairwise(" " + name):
        run = run + 1 if unicodedata.category(sign)[0] == "M" else 0
        if run > MOST_MARKS or (run and before == " "):
            return True
    return False
