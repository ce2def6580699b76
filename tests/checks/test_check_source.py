"""The whole of the checks: on anything, and on what models really wrote."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.rule import Expectation, Randomness
from kernelbenchx.core.outcome import Composition

EXPECTATION = Expectation(entries=("f",))

WORDS = st.sampled_from(
    [
        *("import torch\n", "def f(x, y=1):\n", "    ", "return ", "x", ".sum()", "[0]", "(", ")"),
        *("@triton.jit\n", "lambda a: a", "if ", ":\n", "while True:\n", "try:\n", "class C("),
        *("except: pass\n", "global x\n", "x = ", "{", "}", "'", "1", "*", "**k", ", ", "\n"),
        *("for i in ", ":= ", "yield ", "match x:\n", "case _: ", "async ", "await ", "del "),
        *("with ", "as y", 'f"{x}"', "# coding: utf-8\n", "\\\n", "\0", "é"),
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(st.text(), st.lists(WORDS, max_size=40).map("".join)))
def test_any_text_gets_a_report(text: str) -> None:
    for language in ("triton", "cuda"):
        report = check(text, Expectation(entries=("f",), language=language))
        assert report.fatal or report.composition is not Composition.NOT_A_KERNEL


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_damaged_submission_gets_a_report(data: st.DataObject) -> None:
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    picked = data.draw(st.lists(st.sampled_from(lines), max_size=30))
    assert check("\n".join(picked), EXPECTATION).findings


HEAD = "import torch, triton\n@triton.jit\ndef k(x):\n    pass\n"
SLOW = {
    "functions": "".join(f"def g{i}(a):\n    return g{i // 2}(a), a.b()\n" for i in range(3000)),
    "views": f"def f(x):\n    y = x{'.view(-1)' * 60}\n    k[(1,)](y)\n",
    "indices": f"def f(x):\n    y = x{'[0]' * 120}\n    k[(1,)](y)\n",
    "aliases": "a0 = torch\n" + "".join(f"a{i + 1} = a{i}\n" for i in range(5000)),
    "choices": "a0 = k\n" + "".join(f"a{i + 1} = a{i} if a{i} else a{i}\n" for i in range(300)),
    "itself": "x = torch\n" + "x = x.nn\n" * 5000,
    "redefined": "def g():\n    g()\n" * 2500,
    "closures": "def f(x):\n    c = []\n"
    + "".join(f"    def g{i}():\n        c.append(x)\n    g{i}()\n" for i in range(1500)),
    "returns": "".join(
        f"def g{i}(x):\n    return g{i + 1}(x) + g{i + 1}(x)\n" for i in range(1500)
    ),
    "handlers": "def f(x):\n" + "    try:\n        g(x)\n    except E:\n        pass\n" * 1500,
    "sums": f"def f(x):\n    y = {' + '.join(['x.view(-1)'] * 90)}\n" * 40,
}


@pytest.mark.parametrize("name", SLOW)
def test_every_text_is_checked_in_time_that_grows_with_its_length(name: str) -> None:
    """Far below a minute also on a busy machine; what grew with the square or faster took hours."""
    began = time.process_time()
    check(HEAD + SLOW[name], EXPECTATION)
    assert time.process_time() - began < 10


def test_no_real_kernel_that_works_alone_is_refused(shared: Path) -> None:
    seen = dict.fromkeys(Composition, 0)
    for line in (shared / "real_kernels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name = Path(row["file"]).stem
        expectation = Expectation(entries=(name,), randomness=Randomness.RANDINT)
        report = check(row["predict"], expectation)
        # Signatures are the catalogue's matter; everything else must hold without one.
        refused = [finding for finding in report.fatal if finding.rule != "entry"]
        assert bool(refused) == (report.composition is Composition.NOT_A_KERNEL), row["id"]
        seen[report.composition] += 1
    assert seen == {Composition.PURE: 28, Composition.MIXED: 16, Composition.NOT_A_KERNEL: 7}
