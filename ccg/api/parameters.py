"""Parameters of addresses: declared once, checked before a view runs, and told in the document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import QueryDict
from msgspec import Struct

from ccg.api.errors import Refused, wrong_value

LONGEST = 400


class Parameter(Struct, frozen=True, kw_only=True):
    """A parameter of an address."""

    name: str
    told: str
    """What it does, in a sentence."""
    read: Callable[[Parameter, str], Any]
    schema: Mapping[str, Any]
    default: Any = None
    example: str = ""
    choices: tuple[str, ...] = ()


def text(name: str, told: str, example: str = "", most: int = LONGEST) -> Parameter:
    """Return a parameter that takes any text of at most ``most`` characters."""
    return Parameter(name=name, told=told, read=_text, schema={"type": "string", "maxLength": most}, example=example)


def number(name: str, told: str, least: int, most: int, default: int | None = None) -> Parameter:
    """Return a parameter that takes a whole number."""
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Parameter(name=name, told=told, read=_number, schema=schema, default=default)


def choice(name: str, told: str, choices: Sequence[str], default: str | None = None) -> Parameter:
    """Return a parameter that takes one of some words."""
    schema = {"type": "string", "enum": list(choices)}
    return Parameter(name=name, told=told, read=_choice, schema=schema, default=default, choices=tuple(choices))


def yes(name: str, told: str) -> Parameter:
    """Return a parameter that takes "true" or "false"."""
    return Parameter(name=name, told=told, read=_yes, schema={"type": "boolean"}, choices=("true", "false"))


def given_once(query: QueryDict) -> dict[str, str]:
    """Return the value of each parameter of an address; raises Refused for one that stands there more than once."""
    for name, values in query.lists():
        if len(values) > 1:
            detail = f"The parameter “{name[:40]}” stands there {len(values)} times; one value is taken."
            raise Refused(400, "repeated_parameter", detail, parameter=name[:40])
    return query.dict()


def read(given: Mapping[str, str], parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the value of each parameter, its default where it is not given; raises Refused."""
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            detail = f"There is no parameter “{name[:40]}” here."
            raise Refused(400, "unknown_parameter", detail, parameter=name[:40], expected=sorted(known))
    return {
        name: parameter.read(parameter, given[name]) if name in given else parameter.default
        for name, parameter in known.items()
    }


def _text(parameter: Parameter, given: str) -> str:
    most = parameter.schema["maxLength"]
    if len(given) > most or "\0" in given:
        raise wrong_value(parameter.name, given, [f"text of at most {most} characters"])
    return given


def _number(parameter: Parameter, given: str) -> int:
    least, most = parameter.schema["minimum"], parameter.schema["maximum"]
    if not re.fullmatch("[0-9]{1,9}", given) or not least <= int(given) <= most:
        raise wrong_value(parameter.name, given, [f"a number from {least} to {most}"])
    return int(given)


def _choice(parameter: Parameter, given: str) -> str:
    if given not in parameter.choices:
        raise wrong_value(parameter.name, given, parameter.choices)
    return given


def _yes(parameter: Parameter, given: str) -> bool:
    return _choice(parameter, given) == "true"
