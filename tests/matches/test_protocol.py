"""The messages: what is read, what is not, and that everything generated from them is up to date."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from matches.management.commands.protocol import generated, stale
from matches.protocol import codegen
from matches.protocol import messages as protocol
from matches.protocol.messages import FRAME_LIMIT, Back, Choose, Concede, Hello, Malformed, Ping, decode, encode
from matches.sockets.consumers import TableConsumer


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ('{"type":"hello"}', Hello()),
        ('{"type":"hello","since":null}', Hello()),
        ('{"since":3,"type":"hello"}', Hello(since=3)),
        ('{"type":"choose","id":"a-1","version":0,"option":"keep"}', Choose(id="a-1", version=0, option="keep")),
        ('{"type":"back","id":"b","version":7}', Back(id="b", version=7)),
        ('{"type":"concede","id":"c"}', Concede(id="c")),
        ('{"type":"ping"}', Ping()),
        (b'{"type":"ping","seen":4}', Ping(seen=4)),
    ],
)
def test_a_message_is_read(frame: str | bytes, message: protocol.FromClient) -> None:
    assert decode(frame) == message


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "null",
        "[]",
        "{}",
        "hello",
        '{"type":"hello"',
        '{"type":"hello"}{"type":"hello"}',
        '{"type":"HELLO"}',
        '{"type":["hello"]}',
        '{"type":"table"}',
        '{"type":"hello","since":-1}',
        '{"type":"hello","since":"3"}',
        '{"type":"hello","since":1.5}',
        '{"type":"hello","since":true}',
        '{"type":"hello","since":1e400}',
        '{"type":"hello","since":99999999999999999999999}',
        '{"type":"hello","more":1}',
        '{"type":"choose","id":"a","version":0}',
        '{"type":"choose","id":"a","version":0,"option":""}',
        '{"type":"choose","id":"","version":0,"option":"keep"}',
        '{"type":"choose","id":"a b","version":0,"option":"keep"}',
        '{"type":"choose","id":"a\\n","version":0,"option":"keep"}',
        '{"type":"choose","id":"é","version":0,"option":"keep"}',
        '{"type":"choose","id":"a","version":0,"option":{"key":"keep"}}',
        '{"type":"choose","id":"a","version":0,"option":null}',
        '{"type":"concede","id":5}',
        '{"type":"ping","seen":NaN}',
        '{"type":"choose","id":"' + "a" * 65 + '","version":0,"option":"keep"}',
        '{"type":"choose","id":"a","version":0,"option":"' + "k" * 201 + '"}',
        '{"type":"hello","since":' + "[" * 5000,
        '{"type":"hello","x":' + '{"x":' * 3000,
        b"\xff\xfe\x00",
        b'{"type":"hello\xff"}',
        "\ud800",
    ],
)
def test_anything_else_is_malformed(frame: str | bytes) -> None:
    with pytest.raises(Malformed) as error:
        decode(frame)
    assert error.value.code == "malformed"
    assert len(error.value.message) < 300


def test_a_frame_that_is_too_long_is_not_even_looked_at() -> None:
    fitting = '{"type":"hello"' + " " * (FRAME_LIMIT - 16) + "}"
    assert decode(fitting) == Hello()
    with pytest.raises(Malformed) as error:
        decode(fitting + " ")
    assert error.value.code == "too_long"


def test_the_limit_counts_bytes() -> None:
    with pytest.raises(Malformed) as error:
        decode('{"type":"ping","x":"' + "é" * (FRAME_LIMIT // 2) + '"}')
    assert error.value.code == "too_long"


def test_a_malformed_frame_is_not_quoted_back() -> None:
    with pytest.raises(Malformed) as error:
        decode('{"type":"choose","id":"a","version":"<script>","option":"keep"}')
    assert "script" not in error.value.message


@pytest.mark.parametrize(
    ("frame", "action_id"),
    [
        ('{"type":"say","id":"chat-1","text":"\\ud83d"}', "chat-1"),
        ('{"type":"choose","id":"a","version":"x","option":"keep"}', "a"),
        ('{"type":"cheat","id":"a"}', "a"),
        ('{"type":"say","id":"a b","text":"x"}', None),
        ('{"type":"say","id":["a"],"text":"x"}', None),
        ('{"type":"say","id":"a","text":"x"', None),
        ('["a"]', None),
        ('{"id":"a","version":' + "9" * 5000 + "}", None),
        ('{"id":"a","deep":' + "[" * 8000, None),
        (b'{"id":"a","text":"\xff"}', None),
        (b"\xff\xfe{", None),
    ],
)
def test_a_malformed_frame_that_tells_an_id_is_refused_by_it(frame: str | bytes, action_id: str | None) -> None:
    with pytest.raises(Malformed) as error:
        decode(frame)
    assert (error.value.code, error.value.action_id) == ("malformed", action_id)


def test_every_message_of_the_server_says_its_type_and_every_field() -> None:
    text = json.loads(encode(protocol.Refused(id=None, code="late", message="m", version=1)))
    assert text == {"type": "refused", "id": None, "code": "late", "message": "m", "version": 1}


def test_every_code_is_explained() -> None:
    assert set(get_args(protocol.RefusalCode)) == set(protocol.REFUSALS)


def test_what_is_generated_is_up_to_date() -> None:
    assert [path.name for path in stale()] == [], "run manage.py protocol"


def test_the_reference_names_every_message() -> None:
    document = next(text for path, text in generated().items() if path.name == "protocol.md")
    for direction in (protocol.FromClient, protocol.FromServer):
        for message in get_args(direction):
            assert f"### `{message.__struct_config__.tag}`" in document


def test_a_schema_that_is_not_understood_is_not_left_out_in_silence() -> None:
    with pytest.raises(ValueError, match="no TypeScript"):
        codegen._type({"type": "object"})


def test_the_shapes_say_what_every_field_is_that_was_left_out() -> None:
    written = codegen.typescript()
    structs = codegen.schema()["$defs"]
    for name in ("PieceView", "LinkView", "PlayerView", "ChallengeView", "DecisionView", "OptionView", "EventView"):
        usual = {
            field: kind["default"]
            for field, kind in structs[name]["properties"].items()
            if field not in structs[name]["required"]
        }
        assert f"  {name}: {{ defaults: {json.dumps(usual)}, holds:" in written
    assert '  table: { defaults: {}, holds: {"view": "View", "events": "Happened"} },' in written


def test_what_a_client_leaves_out_is_no_shape() -> None:
    assert "Hello" not in codegen.typescript().partition("export const SHAPES")[2]


@pytest.mark.parametrize(
    "kind", [{"prefixItems": [{"$ref": "#/$defs/X"}]}, {"additionalProperties": {"$ref": "#/$defs/X"}}]
)
def test_a_struct_where_no_client_looks_for_one_is_refused(kind: codegen.Schema) -> None:
    with pytest.raises(ValueError, match="no shape"):
        codegen._held(kind)


def test_every_message_of_a_client_is_answered() -> None:
    known = set(get_args(protocol.FromClient))
    unheard = [message.__name__ for message in known - set(TableConsumer.COMMANDS)]
    assert not unheard, f"COMMANDS in matches/sockets/consumers.py does not say what to do with {', '.join(unheard)}"
    assert set(TableConsumer.COMMANDS) == known
