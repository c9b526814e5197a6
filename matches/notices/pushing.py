"""Notices by web push: to each browser that somebody has let take them, through its maker's push service.

Messages are encrypted for the browser (RFC 8291) and signed with the site's own key (RFC 8292), both by pywebpush. A
subscription that its service does not know any more is deleted. An address is one that a stranger has sent us, so
only the hosts of ``settings.PUSH_HOSTS`` are ever connected to, and no redirection is followed.
"""

from __future__ import annotations

import base64
import logging
import re
import secrets
from collections.abc import Mapping
from email.utils import parseaddr
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.urls import reverse

from ccg.outbox.models import Job
from ccg.outbox.services import post
from matches.notices import telling, ways
from matches.notices.models import MOST_ENDPOINT, PushKey, Subscription
from matches.storage import database

log = logging.getLogger(__name__)

TASK = ways.PUSH_TASK
_TEST = f"{TASK}:test:"
MOST = 10
"""Browsers of one person; the one let in longest ago makes room."""
TIMEOUT = 10
KEPT_FOR = 24 * 3600
"""Seconds for which a push service keeps a message for a browser that is off."""
GONE = (404, 410)
LATER = (408, 425, 429)
"""Refusals that say that the same message may be taken later; after any other (4xx) it is not sent again."""
TESTS_WAITING = 30
"""Tests that may wait to be sent, whoever has asked for them: they stand before all other background work."""

_IN_SESSION = "push_subscription"
"""Where a session keeps the hash of its browser's endpoint."""

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ADDRESS = re.compile(rf"(https?)://({_LABEL}(?:\.{_LABEL})*)((?::[0-9]{{1,5}})?)(?:/[!-\[\]-~]*)?")
"""What is taken as an address. Only what all who read addresses read alike: for one of them a backslash ends the name
of the host, and for another it is part of it."""


class TooManyTests(Exception):
    """So many tests wait to be sent that no more are taken just now."""


class NotTaken(Exception):
    """A subscription that is none, or of a push service that this site does not know; the text says why."""


def public_key() -> str:
    """Return the key that browsers subscribe with; a migration made it."""
    return _key().public


def subscribe(user: Any, endpoint: str, p256dh: str, auth: str) -> Subscription:
    """Keep a browser of ``user``; one that somebody else has used before is theirs from now on. Raises NotTaken."""
    if not is_known(endpoint):
        raise NotTaken("This browser's push service is not one that this site knows.")
    if not _are_keys(p256dh, auth):
        raise NotTaken("The keys of this subscription are damaged. Switch the notices off and on again.")

    def keep() -> Subscription:
        kept, _ = Subscription.objects.update_or_create(
            endpoint_hash=Subscription.hash_of(endpoint),
            defaults={"user": user, "endpoint": endpoint, "p256dh": p256dh, "auth": auth},
        )
        own = Subscription.objects.filter(user=user).order_by("-created", "-pk").values_list("pk", flat=True)
        Subscription.objects.filter(pk__in=list(own[MOST:])).delete()
        return kept

    return database.write(keep)


def unsubscribe(user: Any, endpoint: str) -> None:
    """Forget a browser of ``user``."""
    Subscription.objects.filter(user=user, endpoint_hash=Subscription.hash_of(endpoint)).delete()


def bind_to_session(kept: Subscription, session: SessionBase) -> None:
    """Let the notices of ``kept`` end with ``session``, which is that of the browser it stands for."""
    session[_IN_SESSION] = kept.endpoint_hash


def forget_session(user: Any, session: SessionBase | Mapping[str, Any]) -> None:
    """Forget the browser of ``user`` that was bound to ``session``, if one was."""
    kept = session.get(_IN_SESSION)
    if kept is not None:
        Subscription.objects.filter(user=user, endpoint_hash=kept).delete()


def test(user: Any) -> int:
    """Have a test sent to each browser of ``user``; return how many. Raises TooManyTests.

    Anybody can name browsers that are none, by the thousand, and what is sent to those only takes time.
    """
    browsers = list(Subscription.objects.filter(user=user).values_list("pk", flat=True))
    waiting_tests = Job.objects.filter(state=Job.State.WAITING, key__startswith=_TEST)
    if browsers and waiting_tests.count() + len(browsers) > TESTS_WAITING:
        raise TooManyTests
    number = secrets.token_hex(8)
    for pk in browsers:
        post(TASK, {"to": pk, "test": True}, key=f"{_TEST}{number}:{pk}")
    return len(browsers)


def is_known(endpoint: str) -> bool:
    """Return whether ``endpoint`` is an address at a push service that this site connects to."""
    found = _ADDRESS.fullmatch(endpoint)
    if found is None or len(endpoint) > MOST_ENDPOINT:
        return False
    scheme, host, port = found.groups()
    named = any(host == known or (known.startswith(".") and host.endswith(known)) for known in settings.PUSH_HOSTS)
    whole = f"{scheme}://{host}{port}" in settings.PUSH_HOSTS
    return whole or (named and scheme == "https" and not port)


def handle(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: tell one browser of one match, or that notices come to it (a test).

    A test that does not arrive is not sent again: whoever waits for it sees that, and tries once more.
    """
    row = Subscription.objects.select_related("user").filter(pk=payload["to"]).first()
    if row is None or not row.user.is_active:
        return
    if not (is_known(row.endpoint) and _are_keys(row.p256dh, row.auth)):
        # Taken in when other hosts were known, or more was taken for an address or for keys.
        row.delete()
        return
    notice = _notice(payload, row)
    if notice is None:
        return
    try:
        _send(row, msgspec.json.encode({**msgspec.structs.asdict(notice), "tag": payload.get("match", "test")}))
    except ConnectionError as error:
        if not payload.get("test"):
            raise
        log.info("a test of push was not delivered: %s", error)


# -- inside


def _notice(payload: dict[str, Any], row: Subscription) -> telling.Notice | None:
    if payload.get("test"):
        url = settings.SITE_ORIGINS[0] + reverse("matches:mine")
        return telling.Notice("Test of notices", "Notices of your matches come to this browser.", url)
    found = telling.seat_of(payload, row.user_id)
    return telling.notice_of(payload, found) if found is not None else None


def _send(row: Subscription, message: bytes) -> None:
    """Send ``message`` to a browser; raises what the push service answered, so that it is tried again."""
    # Takes 20 MB of memory, which only processes that send something need.
    from pywebpush import WebPushException, webpush
    from requests import RequestException, Session

    session = Session()
    session.max_redirects = 0
    session.trust_env = False
    try:
        webpush(
            {"endpoint": row.endpoint, "keys": {"p256dh": row.p256dh, "auth": row.auth}},
            data=message,
            vapid_private_key=_key().private,
            vapid_claims={"sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"},
            ttl=KEPT_FOR,
            timeout=TIMEOUT,
            requests_session=session,
        )
    except WebPushException as error:
        status = error.response.status_code if error.response is not None else 0
        if status in GONE:
            row.delete()
        elif 400 <= status < 500 and status not in LATER:
            log.info("the push service says %s of a message: it is not sent again", status)
        else:
            # Not the error itself: its text has the endpoint, by which anybody could be written to.
            raise ConnectionError(f"the push service says {status or 'nothing'}") from None
    except RequestException as error:
        raise ConnectionError(f"the push service cannot be reached: {type(error).__name__}") from None
    finally:
        session.close()


def _key() -> PushKey:
    """Return the site's key, which a migration made; of two processes that miss it, the first makes it for both."""
    kept = PushKey.objects.filter(pk=1).first()
    return kept or database.write(lambda: PushKey.objects.get_or_create(pk=1, defaults=new_key())[0])


def new_key() -> dict[str, str]:
    """Return a new key as the columns of its row."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    made = ec.generate_private_key(ec.SECP256R1())
    private = made.private_numbers().private_value.to_bytes(32, "big")
    public = made.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {"private": _written(private), "public": _written(public)}


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes_of(text: str) -> bytes:
    """Return what ``text`` says in base64 for addresses; nothing if that is not what it is."""
    if not text.isascii() or not text.replace("-", "").replace("_", "").isalnum():
        return b""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return b""


def _are_keys(p256dh: str, auth: str) -> bool:
    """Return whether messages can be encrypted with these: a point of the curve in 65 bytes, and 16 bytes."""
    from cryptography.hazmat.primitives.asymmetric import ec

    public = _bytes_of(p256dh)
    if len(public) != 65 or len(_bytes_of(auth)) != 16:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    except ValueError:
        return False
    return True
