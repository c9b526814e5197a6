"""QR codes: an address as a picture that a telephone reads from the screen."""

from __future__ import annotations

import io
from typing import Any

import segno

DataOverflowError = segno.DataOverflowError


def svg(address: str) -> bytes:
    """Return the QR code of ``address``, black on white with its quiet border, as SVG.

    Raises :class:`DataOverflowError` if it is too long for any.
    """
    picture = io.BytesIO()
    _drawn(address).save(picture, kind="svg", **LOOK)
    return picture.getvalue()


def data_uri(address: str) -> str:
    """Return the same picture as the address of an image, for pages whose content nobody else may ask for."""
    uri: str = _drawn(address).svg_data_uri(**LOOK)
    return uri


LOOK: dict[str, Any] = {"scale": 4, "border": 4, "light": "#fff", "dark": "#000", "svgclass": None, "lineclass": None}


def _drawn(address: str) -> segno.QRCode:
    return segno.make(address, error="l", micro=False)
