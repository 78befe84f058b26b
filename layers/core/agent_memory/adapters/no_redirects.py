"""HTTP without redirects: one would carry the key to another host, so it becomes an error with its status."""

from __future__ import annotations

import urllib.request
from typing import Any


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """None lets urllib raise the status."""


def opener() -> urllib.request.OpenerDirector:
    """Opens addresses as urllib does, and follows none further."""
    return urllib.request.build_opener(_NoRedirects)
