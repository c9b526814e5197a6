"""What a player can set for the table: how it looks, sounds and moves, and when it passes by itself.

One record, read leniently where it was stored (a setting that is gone, or has gone wrong, is the usual one) and
strictly where it is sent. :data:`SETTINGS` has the words for people, from which the page of the account and the table's
window are both made; ``manage.py protocol`` writes them for the browser. Who keeps it for whom is not known here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import Meta, Struct, field

from ccg.rules.decoding import Decoder

Speed = Literal["half", "normal", "double", "off"]
OnOff = Literal["off", "on"]
AutoPass = Literal["never", "alone"]
Stop = Literal["resource_card", "action", "defend", "effects", "cylon"]
Confirm = Literal["pass", "challenge", "play"]
Chat = Literal["all", "phrases", "off"]
Hand = Literal["right", "left"]
Contrast = Literal["system", "more"]
TextSize = Literal["usual", "large", "largest"]

A_FEW = Meta(max_length=8)

HEAD = """\
/** What can be set for the table. Generated from matches/table/table_settings.py by `manage.py protocol`. */

// biome-ignore-all format: generated
"""


class TableSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of one player, with the usual values."""

    speed: Speed = "normal"
    sound: OnOff = "off"
    chat: Chat = "all"
    chat_sound: OnOff = field(name="chatSound", default="off")
    autopass: AutoPass = field(name="autoPass", default="alone")
    stops: Annotated[tuple[Stop, ...], A_FEW] = ()
    """Kinds of decisions at which nothing is ever passed by itself."""
    confirm: Annotated[tuple[Confirm, ...], A_FEW] = ()
    """Verbs of options that are asked for a second time before they are chosen."""
    hand: Hand = "right"
    contrast: Contrast = "system"
    text: TextSize = "usual"
    keys: OnOff = "on"
    """Whether a letter, a digit or another sign does something as soon as it is pressed."""


_decoder: Decoder[TableSettings] = Decoder(TableSettings)


class Setting(Struct, frozen=True):
    """One setting in words: its name in the record, what it is called, and what can be chosen."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...]
    many: bool = False
    """Whether any number of the choices can be set at once."""
    help: str = ""


SETTINGS = (
    Setting(
        "autoPass",
        "Auto-pass",
        (("never", "never"), ("alone", "when nothing else is possible")),
        help="What only helps an opponent counts as nothing; what costs influence is always asked."
        " At the table you can also pass until something happens, or until the end of the phase.",
    ),
    Setting(
        "stops",
        "But always stop",
        (
            ("resource_card", "for a resource card"),
            ("action", "for your action"),
            ("defend", "when you are challenged"),
            ("effects", "in a challenge, for events and abilities"),
            ("cylon", "for Cylon threats"),
        ),
        many=True,
    ),
    Setting(
        "confirm",
        "Ask a second time before",
        (
            ("pass", "passing, while something else is possible"),
            ("challenge", "a challenge"),
            ("play", "playing a card"),
        ),
        many=True,
    ),
    Setting("speed", "Movement", (("half", "× ½"), ("normal", "× 1"), ("double", "× 2"), ("off", "off"))),
    Setting("sound", "Sounds", (("off", "off"), ("on", "on"))),
    Setting(
        "chat",
        "Chat",
        (("all", "on"), ("phrases", "quick phrases only"), ("off", "off")),
        help="Whom you mute or block you do not hear in any case.",
    ),
    Setting("chatSound", "A sound for each line of the chat", (("off", "off"), ("on", "on, with sounds"))),
    Setting("text", "Text", (("usual", "usual"), ("large", "large"), ("largest", "largest"))),
    Setting("contrast", "Contrast", (("system", "as your system"), ("more", "more"))),
    Setting(
        "hand",
        "Buttons",
        (("right", "for the right hand"), ("left", "for the left hand")),
        help="On which side of the table the log, the buttons and the tools are.",
    ),
    Setting(
        "keys",
        "Keys with one sign",
        (("on", "on"), ("off", "off")),
        help="Letters, digits and signs that do something as soon as they are pressed: at tables, in the deck builder,"
        " and on all pages for the search. Arrows, Enter, Space and Escape stay. Off is for whoever speaks to the"
        " computer, or hits keys by accident.",
    ),
)
"""In the order in which they are shown."""


def read_sent(data: object) -> TableSettings:
    """Read settings as a client sends them, all of them; raises ``msgspec.ValidationError`` for anything else."""
    settings = _decoder.from_plain(data)
    missing = [one.name for one in SETTINGS if one.name not in cast("Mapping[str, Any]", data)]
    if missing:
        raise msgspec.ValidationError(f"All settings are wanted. These are missing: {', '.join(missing)}")
    return settings


def read_stored(data: object) -> TableSettings:
    """Read settings as they were stored, by whatever version; each that is not understood is the usual one."""
    known: dict[str, Any] = {}
    for name, value in (data if isinstance(data, Mapping) else {}).items():
        try:
            _decoder.from_plain({name: value})
        except msgspec.ValidationError:
            continue
        known[name] = value
    return _decoder.from_plain(known)


def written(settings: TableSettings) -> dict[str, Any]:
    """Return settings as they are stored and sent."""
    plain: dict[str, Any] = json.loads(msgspec.json.encode(settings))
    return plain


def typescript() -> str:
    """Return the module by which the browser knows the settings and their usual values."""
    usual = written(TableSettings())
    types = [f"  {one.name}: {_type(one)};" for one in SETTINGS]
    values = json.dumps({one.name: usual[one.name] for one in SETTINGS})
    known = json.dumps({one.name: [value for value, _ in one.choices] for one in SETTINGS})
    return "\n".join(
        [
            HEAD,
            "export interface Settings {",
            *types,
            "}",
            "",
            f"export const SETTINGS: Settings = {values};",
            "",
            f"export const KNOWN: Record<keyof Settings, string[]> = {known};",
            "",
        ]
    )


def typescript_words() -> str:
    """Return the module with the words for people, which the browser loads with the window that shows them."""
    rows = [f"  {json.dumps(msgspec.to_builtins(one), ensure_ascii=False)}," for one in SETTINGS]
    return "\n".join(
        [
            HEAD,
            'import type { Settings } from "./settings-data";',
            "",
            "export interface SettingWords {",
            "  name: keyof Settings;",
            "  label: string;",
            "  choices: [string, string][];",
            "  many: boolean;",
            "  help: string;",
            "}",
            "",
            "export const SETTING_WORDS: SettingWords[] = [",
            *rows,
            "];",
            "",
        ]
    )


def _type(setting: Setting) -> str:
    union = " | ".join(json.dumps(value) for value, _ in setting.choices)
    return f"({union})[]" if setting.many else union
