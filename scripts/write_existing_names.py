"""Add the public names of the installed torch and Triton to those that the source checks know.

    python scripts/write_existing_names.py           # writes
    python scripts/write_existing_names.py --check   # exit code 1 where a name is not in the list

Run it once with each tested pair of versions: names are added, never removed.
"""

import importlib
import pkgutil
import sys

from kernelbenchx.checks import torch_names
from kernelbenchx.checks.existing_names import FILE, existing_names

HEAD = "# Names of modules; scripts/write_existing_names.py writes this file.\n"


def installed_names() -> dict[str, frozenset[str]]:
    """By module, with the modules inside it that nothing has imported yet."""
    found = {}
    for path in ("triton", *sorted(torch_names.MODULES)):
        module = importlib.import_module(path)
        if path != "torch" and "__getattr__" in vars(module):
            continue  # it makes names when they are asked for
        inner = (one.name for one in pkgutil.iter_modules(getattr(module, "__path__", ())))
        names = {*dir(module), *inner}
        for made in ("_lazy_modules", "_deprecated_attrs"):
            names |= set(getattr(module, made, ()))
        found[path] = frozenset(name for name in names if not name.startswith("_"))
    return found


def main() -> None:
    """Write or check the list."""
    known = existing_names() if FILE.exists() else {}
    installed = installed_names()
    if "--check" in sys.argv[1:]:
        new = {f"{module}.{one}" for module, names in installed.items() for one in names}
        new -= {f"{module}.{one}" for module, names in known.items() for one in names}
        print("\n".join(sorted(new)) or f"all names of {len(installed)} modules are known")
        sys.exit(bool(new))
    lines = []
    for module in sorted({*known, *installed}):
        names = known.get(module, frozenset()) | installed.get(module, frozenset())
        lines.append(f"{module}: {' '.join(sorted(names))}")
    FILE.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"wrote the names of {len(lines)} modules to {FILE}")


if __name__ == "__main__":
    main()
