"""Headers, cookies, the check for deployment, and what must not stand in the sources."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from http.client import HTTPConnection
from pathlib import Path

from . import sources
from .processes import ROOT, Site, clean_environment
from .proof import Options, Proof

PAGES = (
    "/", "/how-to-play/", "/play/", "/cards/", "/decks/", "/rules/", "/accounts/login/", "/accounts/signup/",
    "/admin/login/", "/api/v1/cards/", "/healthz", "/nothing/here/", "/docs/make-a-card-set/",
)  # fmt: skip
HTTPS = {"SITE_ORIGINS": "https://play.example.org", "BEHIND_PROXY": "1", "ALLOWED_HOSTS": "play.example.org,127.0.0.1"}

HEADERS = {
    "content-security-policy": r"default-src 'self'.*frame-ancestors 'none'|frame-ancestors 'none'.*default-src 'self'",
    "x-content-type-options": r"nosniff",
    "x-frame-options": r"DENY",
    "referrer-policy": r"same-origin|no-referrer",
    "cross-origin-opener-policy": r"same-origin",
}
"""What every answer says."""
NEVER = ("server", "x-powered-by", "access-control-allow-credentials")
READ_ELSEWHERE = "access-control-allow-origin"
"""What says that pages of other sites may read an answer: below ``/api/`` alone, and by whoever is nobody there."""
LOOSE = r"unsafe-inline|unsafe-eval|\*|http:"


def prove(options: Options) -> Proof:
    """Look at sources, at the check for deployment, and at what every kind of page says about itself."""
    Site(options.folder).prepare()
    wrong = {
        "sources": sources.findings(),
        "deployment": deployment(options.folder),
        "headers": [] if options.short else headers_of_site(options.folder),
        "headers behind a proxy": headers_of_site(options.folder, HTTPS),
    }
    planted = {f"source: {word}": bool(list(sources.in_python(text))) for word, text in BAD_PYTHON.items()}
    planted |= {f"template: {text}": bool(sources.in_text(text, sources.TEMPLATE)) for text in BAD_TEMPLATES}
    planted |= {f"client: {text}": bool(sources.in_text(text, sources.CLIENT)) for text in BAD_CLIENT}
    planted["debug pages"] = bool(deployment(options.folder, DEBUG="1"))
    for plant in ("loose_policy",) if options.short else ("no_policy", "loose_policy", "open_cookies"):
        planted[plant.replace("_", " ")] = bool(headers_of_site(options.folder, HTTPS, f"{__name__}:{plant}"))
    return Proof(
        goal="check --deploy, headers and cookies of every kind of page, and the sources: nothing to complain of",
        passed=not any(wrong.values()),
        figures={
            "pages": 2 * len(PAGES),
            "findings": sum(map(len, wrong.values())),
            "wrong": {where: [*findings] for where, findings in wrong.items() if findings},
        },
        planted=planted,
    )


def deployment(folder: Path, **env: str) -> list[str]:
    """Return what ``manage.py check --deploy`` complains of for a site on https."""
    own = {**clean_environment(), **HTTPS, "VAR_DIR": str(folder / "var"), **env}
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING", "--tag", "security"],
        cwd=ROOT, env={**own, "DJANGO_SETTINGS_MODULE": "ccg.server.settings"}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    return done.stderr.strip().splitlines() if done.returncode else []


def headers_of_site(folder: Path, env: Mapping[str, str] | None = None, plant: str = "") -> list[str]:
    """Start a site, and return what is wrong with the headers of its pages."""
    site = Site(folder, env, plant=plant)
    try:
        site.start()
        https = env is not None
        sent = {"Host": "play.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
        return [
            f"{page}: {what}"
            for page in PAGES
            for what in complaints(page, *answer(site, page, sent if https else {}), https)
        ]
    finally:
        site.stop()


def answer(site: Site, path: str, headers: Mapping[str, str]) -> tuple[int, list[tuple[str, str]]]:
    """Status and headers of a page."""
    connection = HTTPConnection("127.0.0.1", site.port, timeout=30)
    try:
        connection.request("GET", path, headers=dict(headers))
        response = connection.getresponse()
        response.read()
        return response.status, [(name.lower(), value) for name, value in response.getheaders()]
    finally:
        connection.close()


def complaints(page: str, status: int, pairs: list[tuple[str, str]], https: bool) -> list[str]:
    """Return what is wrong with the headers of the answer for ``page``."""
    headers = dict(pairs)
    wrong = [f"status {status}"] if status >= 500 or status == 400 else []
    wanted = {**HEADERS, "strict-transport-security": r"max-age=\d{8,}"} if https else HEADERS
    wrong += [
        f"{name}: {headers.get(name)}" for name, rule in wanted.items() if not re.search(rule, headers.get(name, ""))
    ]
    never = NEVER if page.startswith("/api/") and headers.get(READ_ELSEWHERE) == "*" else (*NEVER, READ_ELSEWHERE)
    wrong += [f"{name}: {headers[name]}" for name in never if name in headers]
    policy = headers.get("content-security-policy", "")
    wrong += [f"policy: {loose}" for loose in re.findall(LOOSE, policy)]
    for name, value in pairs:
        if name == "set-cookie":
            needed = ["httponly", "samesite=lax", *(["secure"] if https else [])]
            wrong += [f"cookie without {flag}: {value.split('=')[0]}" for flag in needed if flag not in value.lower()]
    return wrong


# -- planted faults: each is seen if the proof complains


def no_policy() -> None:
    """Send no content security policy."""
    from django.conf import settings

    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "csp" not in name]


def loose_policy() -> None:
    """Allow scripts in pages."""
    from django.conf import settings

    settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]["script-src"] = ["'self'", "'unsafe-inline'"]


def open_cookies() -> None:
    """Let scripts read cookies, and let them go over plain HTTP."""
    from django.conf import settings

    settings.CSRF_COOKIE_HTTPONLY = settings.CSRF_COOKIE_SECURE = False


BAD_PYTHON = {
    "mark_safe": "mark_safe(name)",
    "csrf_exempt": "@csrf_exempt\ndef view(request): ...",
    "pickle": "import pickle",
    "eval": "eval(text)",
    "shell": "run(line, shell=True)",
    "sql": "cursor.execute(f'SELECT {name}')",
    "raw": "Deck.objects.raw(text)",
    "regex": "cards.filter(name__regex=text)",
    "yaml": "yaml.load(text)",
}
BAD_TEMPLATES = (
    "{{ deck.name|safe }}", "{% autoescape off %}", "<script>x()</script>", '<a onclick="x()">',
    '<p style="color: red">', '<form method="post"><button></form>',
)  # fmt: skip
BAD_CLIENT = ("node.innerHTML = text", "<p dangerouslySetInnerHTML={{__html: text}}>", "eval(text)")
