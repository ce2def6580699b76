"""Lists of configurations on a kernel: `@triton.autotune(configs=[triton.Config(...), ...])`."""

import ast
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Tuner:
    """What stands above a kernel."""

    kernel: ast.FunctionDef
    configs: tuple[ast.Call, ...]
    """Empty where the list is made by code: nothing can be changed there."""

    def numbers(self) -> dict[str, ast.Constant]:
        """Whole numbers of the only configuration by parameter or option; none for several."""
        if len(self.configs) != 1:
            return {}
        call = self.configs[0]
        found: dict[str, ast.expr] = {word.arg: word.value for word in call.keywords if word.arg}
        fields = call.args[0] if call.args else found.pop("kwargs", None)
        if isinstance(fields, ast.Dict):
            pairs = zip(fields.keys, fields.values, strict=True)
            found |= {str(k.value): v for k, v in pairs if isinstance(k, ast.Constant)}
        return {
            name: value
            for name, value in found.items()
            if isinstance(value, ast.Constant) and type(value.value) is int
        }


def tuner_of(kernel: ast.FunctionDef) -> Tuner | None:
    """The list of configurations of a kernel, where it has one."""
    for decorator in kernel.decorator_list:
        if isinstance(decorator, ast.Call) and _last(decorator.func) == "autotune":
            return Tuner(kernel, _configs(decorator))
    return None


def _configs(decorator: ast.Call) -> tuple[ast.Call, ...]:
    words = {word.arg: word.value for word in decorator.keywords}
    listed = words.get("configs", decorator.args[0] if decorator.args else None)
    if not isinstance(listed, ast.List | ast.Tuple):
        return ()
    calls = [
        one for one in listed.elts if isinstance(one, ast.Call) and _last(one.func) == "Config"
    ]
    return tuple(calls) if len(calls) == len(listed.elts) else ()


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
