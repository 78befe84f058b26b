"""Prints the types of the resources that AWS's SAM translator makes of a template: `transform.py FILE [NAME=VALUE...]`.

Runs in the SAM CLI's environment; a template that the translator refuses ends it with the reason.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from samcli.yamlhelper import yaml_parse
from samtranslator.translator.transform import transform


class NoManagedPolicies:
    """The template names none."""

    def load(self) -> dict[str, str]:
        """Names to ARNs."""
        return {}


def main(path: str, *given: str) -> None:
    """Print one type a line."""
    template: dict[str, Any] = yaml_parse(Path(path).read_text(encoding="utf-8"))
    for resource in template["Resources"].values():
        for name in ("CodeUri", "ContentUri"):  # folders become uploads before the transform
            if name in resource.get("Properties", {}):
                resource["Properties"][name] = "s3://bucket/key"
    parameters = {name: each.get("Default") for name, each in template["Parameters"].items()}
    parameters |= dict(each.split("=", 1) for each in given)
    for resource in transform(template, parameters, NoManagedPolicies())["Resources"].values():
        sys.stdout.write(f"{resource['Type']}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
