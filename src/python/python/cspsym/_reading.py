"""Reads reports: JSON becomes dataclasses."""

import json
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, cast

import cattrs
from cattrs.gen import make_dict_structure_fn, override

T = TypeVar("T")

_converter = cattrs.Converter()


def _structure_of(cls: type[Any]) -> Any:
    """Return what reads a dataclass, some of whose fields are named by words of Python."""
    renamed = {
        field.name: override(rename=field.name.rstrip("_"))
        for field in fields(cls)
        if field.name.endswith("_") and field.init
    }
    return make_dict_structure_fn(cls, _converter, **cast("Any", renamed))


_converter.register_structure_hook_factory(is_dataclass, _structure_of)


def read(kind: type[T], text: str) -> T:
    """Return the report of this `kind` that the JSON `text` has."""
    return _converter.structure(json.loads(text), kind)
