"""The page to try the API: Swagger UI as Powertools brings it. All that it fetches is the document beside it."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

DOCUMENT = "openapi.json"
START = f"""
SwaggerUIBundle({{
  url: "{DOCUMENT}",
  dom_id: "#page",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "example",
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
}});
"""


def page() -> tuple[str, str]:
    """The HTML, and the content security policy that holds it to its own scripts and its own server."""
    folder = files("aws_lambda_powertools") / "event_handler" / "openapi" / "swagger_ui"
    bundle = (folder / "swagger-ui-bundle.min.js").read_text("utf-8")
    style = (folder / "swagger-ui.min.css").read_text("utf-8")
    return _html(style, bundle), _policy(bundle, START)


def _html(style: str, bundle: str) -> str:
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Memory</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript; the document itself is <a href="{DOCUMENT}">{DOCUMENT}</a>.</noscript>
<script>{bundle}</script>
<script>{START}</script>
</body>
</html>
"""


def _policy(*scripts: str) -> str:
    allowed = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
