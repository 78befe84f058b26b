"""template.yaml as data: short forms of intrinsic functions become long ones, and references can be looked up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "template.yaml"


class _Loader(yaml.SafeLoader):
    """SafeLoader that knows `!Ref`, `!GetAtt` and so on."""


def _intrinsic(loader: _Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    name = suffix if suffix in {"Ref", "Condition"} else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        value: Any = loader.construct_scalar(node)
        return {name: value.split(".", 1) if suffix == "GetAtt" else value}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)
    return {name: loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _intrinsic)


@dataclass(frozen=True)
class Template:
    """A template at `path`; `parameters` stand over its defaults, `physical` gives ids (and `Name.Attribute`s)."""

    path: Path
    body: Mapping[str, Any]
    parameters: Mapping[str, Any]
    physical: Mapping[str, str]

    def of_type(self, kind: str) -> dict[str, dict[str, Any]]:
        """Properties by logical id of every resource of the type."""
        found = self.body["Resources"].items()
        return {name: each.get("Properties", {}) for name, each in found if each["Type"] == kind}

    def functions(self) -> dict[str, dict[str, Any]]:
        """Properties of each function with the defaults of Globals, by the name of its folder in the checkout."""
        defaults = self.body["Globals"]["Function"]
        return {
            _snake(name.removesuffix("Function")): _merged(defaults, own) | {"LogicalId": name}
            for name, own in self.of_type("AWS::Serverless::Function").items()
        }

    def environment(self, function: str) -> dict[str, str]:
        """The function's environment with its references resolved."""
        variables = self.functions()[function]["Environment"]["Variables"]
        return {name: str(self.resolved(value)) for name, value in variables.items()}

    def layers(self, function: str) -> list[Path]:
        """Content folders of the function's layers, in order."""
        names = [self.resolved(layer) for layer in self.functions()[function]["Layers"]]
        layers = self.of_type("AWS::Serverless::LayerVersion")
        return [(self.path.parent / layers[name]["ContentUri"]).resolve() for name in names]

    def statements(self, function: str) -> list[dict[str, Any]]:
        """The statements of the function's own role, conditional ones as the parameters decide."""
        role = self.functions()[function]["Role"]["Fn::GetAtt"][0]
        policies = self.body["Resources"][role]["Properties"]["Policies"]
        found = [each for policy in policies for each in policy["PolicyDocument"]["Statement"]]
        return [each for each in map(self.resolved, found) if each is not None]

    def resolved(self, value: Any) -> Any:
        """The value without the intrinsic functions that are used here; a resource without physical id is its name."""
        if isinstance(value, list):
            return [self.resolved(each) for each in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((name, argument),) = value.items()
            if name in {"Ref", "Fn::GetAtt", "Fn::Sub", "Fn::If"}:
                return self._called(name, argument)
        return {name: self.resolved(each) for name, each in value.items()}

    def _called(self, name: str, argument: Any) -> Any:
        if name == "Fn::If":
            condition, yes, no = argument
            return self.resolved(yes if self.holds({"Condition": condition}) else no)
        if name == "Fn::Sub":
            return re.sub(r"\$\{([^}]+)\}", lambda found: str(self._reference(found[1])), argument)
        return self._reference(".".join(argument) if name == "Fn::GetAtt" else argument)

    def holds(self, condition: Mapping[str, Any]) -> bool:
        """Whether a condition, or one named as {"Condition": name}, is true under the parameters."""
        ((name, argument),) = condition.items()
        if name == "Condition":
            return self.holds(self.body["Conditions"][argument])
        if name == "Fn::Not":
            return not self.holds(argument[0])
        if name == "Fn::And":
            return all(map(self.holds, argument))
        assert name == "Fn::Equals"
        left, right = map(self.resolved, argument)
        return bool(left == right)

    def _reference(self, name: str) -> Any:
        if name == "AWS::NoValue":
            return None
        if name in self.parameters:
            return self.parameters[name]
        if name in self.body["Parameters"]:
            return self.body["Parameters"][name]["Default"]
        return self.physical.get(name, name)


def read_template(
    path: Path = TEMPLATE,
    parameters: Mapping[str, Any] | None = None,
    physical: Mapping[str, str] | None = None,
) -> Template:
    """The template of the checkout, or one that SAM built."""
    body = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    return Template(path, body, parameters or {}, physical or {})


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _merged(defaults: Any, own: Any) -> Any:
    """As SAM merges Globals: mappings by key, lists one after the other."""
    if isinstance(defaults, dict) and isinstance(own, dict):
        if len(own) == 1 and next(iter(own)).startswith(("Ref", "Fn::")):
            return own
        return defaults | {
            key: _merged(defaults[key], value) if key in defaults else value for key, value in own.items()
        }
    if isinstance(defaults, list) and isinstance(own, list):
        return defaults + own
    return own
