"""Django settings, all from the environment. docs/operating.md lists the variables.

With nothing configured this is the *embedded* profile: one process, SQLite, the outbox drained by threads.
DATABASE_URL and REDIS_URL turn it into the *full* profile: PostgreSQL, Redis and Celery workers for background work,
any number of processes. The code is the same in both.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parents[2]


def env_flag(name: str) -> bool:
    """Return whether the environment variable is set to something that means yes."""
    return os.environ.get(name, "").strip().lower() in {"1", "true", "yes", "on"}


def env_number(name: str, default: int, least: int = 0, most: int = 10**6) -> int:
    """Return the environment variable as a whole number from ``least`` to ``most``; raises ImproperlyConfigured."""
    value = os.environ.get(name, "").strip() or str(default)
    if not (value.isascii() and value.isdecimal() and least <= int(value) <= most):
        raise ImproperlyConfigured(f"{name}: {value!r} is not a whole number from {least} to {most}")
    return int(value)


def env_factor(name: str, default: float) -> float:
    """Return the environment variable as a number, 0 or more, with or without a point; raises ImproperlyConfigured."""
    value = os.environ.get(name, "").strip() or str(default)
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", value, re.ASCII):
        raise ImproperlyConfigured(f"{name}: {value!r} is not a number such as 5 or 0.5")
    return float(value)


def env_list(name: str, default: list[str]) -> list[str]:
    """Return the comma-separated environment variable as a list."""
    parts = [part.strip() for part in os.environ.get(name, "").split(",")]
    return [part for part in parts if part] or default


def env_networks(name: str, default: str) -> list[IPv4Network | IPv6Network]:
    """Return the comma-separated environment variable as networks such as 10.0.0.0/8; raises ImproperlyConfigured."""
    try:
        return [ip_network(part) for part in env_list(name, default.split(","))]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}") from None


def own_secret_key(path: Path) -> str:
    """Return the secret key of this installation: made at its first start, kept in a file only its owner reads."""
    made = path.with_name(f"{path.name}.{os.getpid()}")
    if not path.exists():
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        # A link either makes the whole file appear or fails: of two first starts at once, one key wins.
        with contextlib.suppress(FileExistsError):
            os.link(made, path)
        made.unlink()
    return path.read_text().strip()


def host_of(origin: str) -> str:
    """Return the host of an origin as ALLOWED_HOSTS wants it (IPv6 in brackets)."""
    parts = urlsplit(origin)
    host = parts.hostname
    if not host or origin != f"{parts.scheme}://{parts.netloc}":
        raise ImproperlyConfigured(f"SITE_ORIGINS: {origin!r} is not an origin such as https://play.example.org")
    return f"[{host}]" if ":" in host else host


# Where the embedded profile keeps its data.
VAR_DIR = Path(os.environ.get("VAR_DIR", BASE_DIR / "var")).resolve()
VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env_flag("DEBUG")
SECRET_KEY = os.environ.get("SECRET_KEY") or own_secret_key(VAR_DIR / "secret_key")

# -- Where the site is reached ---------------------------------------------------------------------

HOST = os.environ.get("HOST", "127.0.0.1")
PORT = env_number("PORT", 8000, most=65535)
# Full origins: a list of hosts would let http://host and https://host:8443 pass for each other.
SITE_ORIGINS = env_list("SITE_ORIGINS", [f"http://{name}:{PORT}" for name in ("127.0.0.1", "localhost")])
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", sorted({host_of(origin) for origin in SITE_ORIGINS}))
CSRF_TRUSTED_ORIGINS = SITE_ORIGINS
HTTPS = all(origin.startswith("https://") for origin in SITE_ORIGINS)
# How many proxies of ours stand in front, each adding to X-Forwarded-For; 0: forwarded headers are not read.
TRUSTED_PROXIES = env_number("TRUSTED_PROXIES", int(env_flag("BEHIND_PROXY")), most=20)

# -- What the site is made of ----------------------------------------------------------------------

INSTALLED_APPS = [
    "ccg.server.apps.ServerConfig",
    "ccg.server.apps.AdminSiteConfig",
    "ccg.server.accounts",
    "matches",
    "matches.clocks.apps.ClocksConfig",
    "matches.playtests",
    "matches.ratings",
    "matches.statistics",
    "matches.replays",
    "matches.pairing",
    "matches.watching",
    "matches.shuffles",
    "matches.notices",
    "matches.chat",
    "matches.orders",
    "decks",
    "cards_data",
    "ccg.outbox",
    "channels",
    "allauth",
    "allauth.account",
    "axes",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "ccg.server.admission.Metered",
    "django.middleware.security.SecurityMiddleware",
    "ccg.server.static.StaticFilesMiddleware",
    "ccg.server.requests.PlainRequests",
    "csp.middleware.CSPMiddleware",
    "ccg.server.sessions.SessionRenewal",
    "ccg.server.privacy.NotKept",
    "django.middleware.common.CommonMiddleware",
    "ccg.server.requests.SaidInOurLook",  # inside the one that writes down the length
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
    "ccg.server.accounts.gone.GoneMeanwhile",
]

ROOT_URLCONF = "ccg.server.urls"
ASGI_APPLICATION = "ccg.server.asgi.application"
CSRF_FAILURE_VIEW = "ccg.server.views.csrf_failure"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "ccg.server.context.site",
            ],
            "builtins": ["ccg.server.templatetags.client", "ccg.server.templatetags.times"],
        },
    },
]

# -- Data ------------------------------------------------------------------------------------------

DATABASE_URL = os.environ.get("DATABASE_URL", "")
REDIS_URL = os.environ.get("REDIS_URL", "")
if REDIS_URL and not DATABASE_URL:
    raise ImproperlyConfigured("REDIS_URL means several processes, and those need PostgreSQL: set DATABASE_URL too.")

if DATABASE_URL and not DATABASE_URL.startswith(("postgres://", "postgresql://")):
    raise ImproperlyConfigured("DATABASE_URL is not one such as postgres://fleet:secret@127.0.0.1:5432/fleet")

DATABASES: dict[str, Any]
if DATABASE_URL:
    DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_health_checks=True)}
    if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
        DATABASES["default"]["ENGINE"] = "ccg.server.postgresql"
    DATABASES["default"].setdefault("OPTIONS", {}).update(
        {
            "connect_timeout": 2,
            "tcp_user_timeout": 5000,  # what was sent and not acknowledged by then is lost, and so is the line
            # A line on which we only listen is tried after so many seconds: it may be that of a machine that has died.
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "keepalives_count": 3,
            # Statements that ask for it are prepared, and no others (Django's own default is none at all).
            "prepare_threshold": 2**31,
            # A pool for requests and background work, most of whose threads have nothing to ask most of the time. With
            # a short patience: pages say within 3 s that the database is away, and a server that comes back is not
            # kept waiting.
            "pool": {
                "min_size": 2,
                "max_size": env_number("DATABASE_POOL", 12, least=2),
                "timeout": 1.2,
                "reconnect_timeout": 1,
            },
        }
    )
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": VAR_DIR / "db.sqlite3",
            # Kept between messages of sockets: closing the last connection would fold up the WAL each time.
            "CONN_MAX_AGE": 600,
            "OPTIONS": {
                # A transaction that reads and then writes fails at once with "database is locked" unless it
                # takes the write lock at its start; with WAL, readers go on meanwhile.
                "transaction_mode": "IMMEDIATE",
                "timeout": 5,
                # NORMAL: what was committed survives kill -9, though not always a power cut.
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            },
            # A file and not memory: tests with threads and sockets need one database seen by all of them.
            "TEST": {"NAME": VAR_DIR / "test.sqlite3"},
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# What is cached are counts against guessing and flooding. With several processes they are in the database: Redis
# may be away or missing, and N processes must not allow N times as much. Of so many that no visitor can have others'
# counts thrown out, or their own: Django keeps 300 unless told otherwise.
COUNTS_KEPT = 50_000
CACHES: dict[str, Any]
if DATABASE_URL:
    CACHES = {
        "default": {
            "BACKEND": "ccg.server.shared_cache.SharedCache",
            "LOCATION": "shared_counts",
            "OPTIONS": {"MAX_ENTRIES": COUNTS_KEPT},
        }
    }
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": COUNTS_KEPT},
        }
    }

# Long parts of pages that are the same for everybody, made once by each process.
CACHES["template_fragments"] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "template_fragments",
    "TIMEOUT": None,
    "OPTIONS": {"MAX_ENTRIES": 100},
}

# -- Background work (docs/decisions/0002-outbox.md) -----------------------------------------------

# Threads of the server process that drain the outbox; Celery workers do it when there is a broker.
OUTBOX_THREADS = 0 if REDIS_URL else env_number("OUTBOX_THREADS", 2, most=64)
OUTBOX_SWEEP_SECONDS = 5
# Workers look by themselves too, so that work goes on while no message reaches them.
OUTBOX_WORKER_SWEEP_SECONDS = 1

CELERY_BROKER_URL = REDIS_URL or None
CELERY_TASK_IGNORE_RESULT = True
# A worker killed in the middle costs nothing: the outbox row is due again after its lease.
CELERY_TASK_TIME_LIMIT = 600
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for Redis as long as it takes, and works meanwhile
# Nor does a worker end where Redis refuses: it has become a replica that takes no writes, or its memory is full.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 120, "socket_connect_timeout": 1, "socket_timeout": 10}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = {
    # Sweeps do not pile up in the queue while no worker is there to take them.
    "sweep": {
        "task": "ccg.outbox.drain",
        "schedule": OUTBOX_SWEEP_SECONDS,
        "options": {"expires": OUTBOX_SWEEP_SECONDS},
    },
}

# Playtests: games against each starter deck (200 give an interval of 7 points either way), processes that play at a
# time (0: one for each core), and how many one person may begin in a day (0: any).
PLAYTEST_GAMES = env_number("PLAYTEST_GAMES", 200, least=1, most=2_000)
PLAYTEST_PROCESSES = env_number("PLAYTEST_PROCESSES", 0, most=64)
PLAYTESTS_A_DAY = env_number("PLAYTESTS_A_DAY", 30, most=10_000)

# Notices to players who are away (matches.notices): after how many seconds of waiting, and the push services that may
# be connected to: hosts, ".name" for all hosts below it, or a whole origin for one without HTTPS.
NOTICE_AFTER_SECONDS = env_number("NOTICE_AFTER_SECONDS", 300, most=7 * 24 * 3600)
PUSH_HOSTS = env_list(
    "PUSH_HOSTS",
    ["fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com"],
)
# A match without clocks in which nothing has happened for so many days ends as a draw.
MATCH_ABANDONED_DAYS = env_number("MATCH_ABANDONED_DAYS", 90, least=1, most=3_650)

# Days a year on which somebody's clocks in correspondence matches may stand still.
VACATION_DAYS = env_number("VACATION_DAYS", 30, most=365)

# Running matches by correspondence that one person may have from the queue at a time.
QUEUE_CORRESPONDENCE_MATCHES = env_number("QUEUE_CORRESPONDENCE_MATCHES", 10, least=1, most=1_000)

# Running matches of one person, without those by correspondence and lessons; 0 for any number.
RUNNING_MATCHES = env_number("RUNNING_MATCHES", 20, most=100_000)
# Running matches of one person by correspondence, from wherever; 0 for any number.
CORRESPONDENCE_MATCHES = env_number("CORRESPONDENCE_MATCHES", 200, most=100_000)

# Pictures of public decks for other sites: a second or two of processor time for each change of one.
DECK_PREVIEWS = bool(env_number("DECK_PREVIEWS", 1, most=1))

# -- People ----------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

ACCOUNT_ADAPTER = "ccg.server.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {"signup": "ccg.server.accounts.forms.SignUpForm", "add_email": "ccg.server.accounts.forms.AddressForm"}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_PRESERVE_USERNAME_CASING = False
# Words by which people would take somebody for one of those who look after the site.
NAMES_OF_STAFF = [
    "admin", "administrator", "administration", "moderator", "moderation", "staff", "support", "system", "root",
]  # fmt: skip
ACCOUNT_USERNAME_BLACKLIST = [*NAMES_OF_STAFF, "computer", "guest"]
ACCOUNT_USERNAME_VALIDATORS = "ccg.server.accounts.names.username_validators"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USER_DISPLAY = "ccg.server.accounts.names.display_name"
# A guest is signed in and may still sign in or sign up; our views send everybody else away.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False

# Whoever finds a browser that is signed in must not give the account another mail address, to which a new password is
# then sent: pages of addresses ask for the password again, unless it was given some minutes ago.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# The same answer to a mail address that is known and to one that is not. Nobody has to confirm an address to play;
# notices go to confirmed ones only (:func:`matches.notices.ways.can_mail`).
ACCOUNT_PREVENT_ENUMERATION = "strict"
# Wrong passwords are counted below, and once is enough.
ACCOUNT_RATE_LIMITS = {"login_failed": None}

# Wrong passwords in 15 minutes: for one name from one address, for one name, from one address.
GUESSES = (10, 30, 60)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "username", "ip_address"]
AXES_FAILURE_LIMIT = GUESSES[0]
AXES_COOLOFF_TIME = timedelta(minutes=15)
# What is refused unseen is no guess: counted, it would let one address close a name for everybody, and keep it closed.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_HANDLER = "ccg.server.accounts.guessing.GuessingHandler"
AXES_USERNAME_CALLABLE = "ccg.server.accounts.guessing.guessed_name"
AXES_LOCKOUT_CALLABLE = "ccg.server.too_often.locked_out"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False

# What asking for a new password takes at least. The mail is only written meanwhile, not sent; a place among those for
# requests is taken all the time.
RESET_SECONDS = 0.25

# New guests that one address may make in an hour.
GUESTS_PER_HOUR = env_number("GUESTS_PER_HOUR", 600)

# Mails that one address may ask for in an hour, and how many of all that are asked for go to one mail address.
MAILS_PER_HOUR = env_number("MAILS_PER_HOUR", 60)
MAILS_TO_ONE_PER_HOUR = 10

EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = env_number("EMAIL_PORT", 25, most=65535)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env_flag("EMAIL_USE_TLS")
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "Ragtag Fleet <noreply@localhost>")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'dummy'}.EmailBackend"

# -- Safety ----------------------------------------------------------------------------------------

# Multiplies what one visitor may ask of the server (ccg/server/limits.py); 0: no such limits, for load tests.
LIMITS = env_factor("LIMITS", 1)

SESSION_ENGINE = "ccg.server.sessions"
SESSION_COOKIE_AGE = 365 * 24 * 3600  # a guest's only hold on their matches
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = HTTPS
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if HTTPS:
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = HTTPS
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        # Card pictures are drawn in the browser and shown from data: addresses.
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500

# -- API -------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "ccg.server.api.tokens.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["ccg.server.api.throttles.Throttle"],
    "DEFAULT_PARSER_CLASSES": ["ccg.api.bodies.BoundedJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "ccg.api.errors.handled",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Ragtag Fleet",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "DESCRIPTION": (
        "Cards, sets, formats, legality, decks and matches as JSON. Everybody may read what is public; to read and"
        " write one's own decks, send a personal token as `Authorization: Bearer`. Answers have an `ETag`: send it as"
        " `If-None-Match` and get 304 while nothing has changed. `RateLimit-Limit`, `RateLimit-Remaining` and"
        " `RateLimit-Reset` say how much may be asked for in a minute. Parameters and values that there are not are"
        " errors, and every error has a `code` and a `detail`."
    ),
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "AUTHENTICATION_WHITELIST": ["ccg.server.api.tokens.TokenAuthentication"],
    "POSTPROCESSING_HOOKS": ["ccg.api.document.with_types"],
    "PREPROCESSING_HOOKS": ["drf_spectacular.hooks.preprocess_exclude_path_format"],
    "PATH_CONVERTER_OVERRIDES": {
        "card_id": {"type": "string", "pattern": "^[A-Za-z0-9-]{1,15}$"},
        "match_id": {"type": "string"},
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "DISABLE_ERRORS_AND_WARNINGS": False,
}

# -- Files -----------------------------------------------------------------------------------------

CLIENT_DIST = BASE_DIR / "ccg" / "client" / "dist"
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "build" / "static"
STATICFILES_DIRS = [CLIENT_DIST] if CLIENT_DIST.is_dir() else []
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Vite has put hashes into the names already; this only adds the compressed forms.
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_ALLOW_ALL_ORIGINS = False

# -- Language, time, log ---------------------------------------------------------------------------

LANGUAGE_CODE = "en"
USE_I18N = False
# For pages that do not say themselves how, which are those of the admin site.
DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y, H:i"
USE_TZ = True
TIME_ZONE = "UTC"

# -- Watching ----------------------------------------------------------------------------------------

# Who may read /metrics: whoever sends the token, and whoever asks a server process itself from these networks.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
METRICS_NETWORKS = env_networks("METRICS_NETWORKS", "127.0.0.0/8,::1/128")
# Seconds that background work may be behind before /readyz says no.
READY_LAG_SECONDS = env_number("READY_LAG_SECONDS", 300, least=1)

LOG_FORMAT = os.environ.get("LOG_FORMAT", "line")
if LOG_FORMAT not in ("line", "json"):
    raise ImproperlyConfigured(f"LOG_FORMAT: {LOG_FORMAT!r} is neither line nor json")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        "json": {"()": "ccg.server.monitoring.logs.JsonLines"},
    },
    "filters": {
        "without links": {"()": "ccg.server.privacy.WithoutLinks"},
        "in one line": {"()": "ccg.server.monitoring.logs.InOneLine"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["without links"]}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "WARNING").upper()},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        # What strangers ask for that is not there or not allowed: they could fill the disk with it.
        "django.request": {"level": "ERROR"},
        "django.security": {"level": "CRITICAL"},
        # What its tries to connect come to is said by those who wanted a connection.
        "psycopg.pool": {"level": "ERROR"},
        "celery.beat": {"filters": ["in one line"]},
        # Our own news, such as the address at which the server listens.
        "ccg": {"level": os.environ.get("LOG_LEVEL", "INFO").upper()},
    },
}
