import pytest
from msgspec import inspect

from kernelbenchx.export.transition import BaselineSpeedup, KernelTransition, Remark, TransitionSide


@pytest.mark.parametrize("kind", [KernelTransition, TransitionSide, BaselineSpeedup, Remark])
def test_every_field_says_what_it_holds(kind: type) -> None:
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    for field in found.fields:
        assert isinstance(field.type, inspect.Metadata), field.name
        assert (field.type.extra_json_schema or {}).get("description"), field.name
