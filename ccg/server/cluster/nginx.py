"""The configuration of the proxy in front of the server processes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from string import Template

CONNECTIONS_OF_ONE = 150
"""Connections of one address at the same time, as the servers allow where no proxy is in front."""

TEMPLATE = Template("""\
# Written by manage.py cluster at each start; changes are lost.
$user
daemon off;
worker_processes auto;
worker_rlimit_nofile 65536;
pid "$folder/nginx.pid";
error_log stderr warn;

events {
    worker_connections 16384;
}

http {
    server_tokens off;
    # Addresses of invitations, private decks and mails for a new password are secrets. What nginx writes of a request
    # that failed has its address in it, so that is left out, and this is written instead. The servers have the id, too.
    error_log stderr crit;
    log_format failed "$$time_iso8601 $$status $$request_method $$request_id in $$request_time s"
                      ", asked $$upstream_addr: $$upstream_status";
    map $$status $$is_failed {
        default 0;
        ~^5     1;
    }
    access_log /dev/stderr failed if=$$is_failed;
    default_type application/octet-stream;
    client_body_temp_path "$folder/bodies";
    proxy_temp_path "$folder/answers";
    fastcgi_temp_path "$folder/unused";
    uwsgi_temp_path $folder/unused;
    scgi_temp_path "$folder/unused";

    # Whoever is slow costs a place here, and none of the servers'.
    client_header_timeout 10s;
    client_body_timeout 15s;
    send_timeout 30s;
    keepalive_timeout 30s;
    reset_timedout_connection on;
    client_header_buffer_size 2k;
    large_client_header_buffers 4 16k;
    client_max_body_size 1m;

    limit_conn_zone $$binary_remote_addr zone=visitors:10m;
    limit_conn_status 429;
    limit_conn_log_level notice;

    map $$http_upgrade $$connection_kept {
        default upgrade;
        ''      '';
    }

    upstream fleet {
        least_conn;
$servers
        keepalive 32;
        keepalive_timeout 20s;    # the servers close after 30 s: no request meets a connection that is just closing
    }

    # All who sit at a table or look at it come to the same server, which then makes each move once. Any other would do.
    upstream tables {
        hash $$uri consistent;
$servers
    }

    server {
        listen $listen;
        server_name _;
        $limit

        proxy_http_version 1.1;
        proxy_set_header Host $$http_host;
        proxy_set_header Upgrade $$http_upgrade;
        proxy_set_header Connection $$connection_kept;
        proxy_set_header X-Forwarded-For $$proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Request-ID $$request_id;
        # A server that is just being started again: another one is asked, unless the request may have been begun.
        proxy_connect_timeout 2s;
        proxy_next_upstream error timeout;
        proxy_next_upstream_tries 3;
        # One that hangs: a page is asked of another one then, and what hangs is soon killed.
        proxy_read_timeout 20s;

        error_page 502 504 = @starting;
        location @starting {
            default_type text/plain;
            add_header Retry-After 2 always;
            add_header Cache-Control no-store always;
            return 503 "The site is being started again. Nothing that was accepted is lost; try again in a moment.\\n";
        }

        location = /metrics { return 404; }    # each server process tells its own figures, at its own port

        # A socket sends a heartbeat every few seconds.
        location /ws/ {
            proxy_pass http://fleet;
            proxy_buffering off;
            proxy_read_timeout 60s;
            proxy_send_timeout 60s;
        }

        location /ws/matches/ {
            proxy_pass http://tables;
            proxy_buffering off;
            proxy_read_timeout 60s;
            proxy_send_timeout 60s;
        }

        location /admin/ {
            client_max_body_size 17m;    # card sets, which take their time
            proxy_read_timeout 75s;
            proxy_pass http://fleet;
        }

        location / {
            proxy_pass http://fleet;
        }
    }
}
""")


def configuration(folder: Path, listen: str, ports: Sequence[int], *, user: str | None, proxies: int) -> str:
    """Return nginx's configuration, listening at ``listen`` for the servers at ``ports`` of this machine.

    ``user`` is the account for its workers where it is started as root. With ``proxies`` of ours in front of it, all
    connections come from those, which also say by which scheme visitors came.
    """
    return TEMPLATE.substitute(
        user=f"user {user};" if user else "",
        folder=folder,
        listen=listen,
        servers="\n".join(f"        server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in ports),
        limit="" if proxies else f"limit_conn visitors {CONNECTIONS_OF_ONE};",
        scheme="$http_x_forwarded_proto" if proxies else "$scheme",
    )
