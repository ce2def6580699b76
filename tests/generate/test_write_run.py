"""One run from end to end, without the command line around it."""

import os
from pathlib import Path

import msgspec
import pytest

from generate.loopback import Loopback, Say
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.session import resolve_settings
from kernelbenchx.generate import methods
from kernelbenchx.generate.models.open_model import OpenModel, Terms
from kernelbenchx.generate.prompts import Prompting, prompts_for
from kernelbenchx.generate.write_run import RunOrder, write_run
from kernelbenchx.runs import load_run

TASKS = ("activation/relu",)


class Silent:
    """Hears everything and says nothing."""

    def __getattr__(self, _: str) -> object:
        return lambda *_, **__: None


def order(out: Path, url: str, **changes: object) -> RunOrder:
    made = RunOrder(
        method_name="one_shot",
        method=methods.make_method("one_shot", {}),
        model="openai:m",
        tasks=TASKS,
        prompts=prompts_for(Prompting(), TASKS),
        settings=resolve_settings(Settings(device="interpreter", stage=Stage.CHECK, seed=3)),
        out=out,
        terms=Terms(base_url=url),
    )
    return type(made)(
        **{**{name: getattr(made, name) for name in made.__dataclass_fields__}, **changes}
    )


def write(wanted: RunOrder, seen: list[OpenModel]) -> int:
    return write_run(wanted, Silent(), os.environ, seen.append)  # type: ignore[arg-type]


def test_a_run_is_written_and_resumed_without_asking_again(tmp_path: Path) -> None:
    seen: list[OpenModel] = []
    with Loopback(lambda _: Say("no kernel")) as server:
        assert write(order(tmp_path / "run", server.url), seen) == 0
        assert len(server.asked) == 1
        write(order(tmp_path / "run", server.url), seen)
        assert len(server.asked) == 1
        other = methods.make_method("one_shot", {"temperature": "0.5"})
        with pytest.raises(BadInput, match="another option"):
            write(order(tmp_path / "run", server.url, method=other), seen)
    assert [one.model.name for one in seen] == ["m", "m", "m"]
    assert seen[1].budget.tokens == 18  # what the first start spent counts
    assert [one.task for one in load_run(tmp_path / "run").results] == list(TASKS)


def test_an_order_that_is_wrong_writes_nothing(tmp_path: Path) -> None:
    chosen = prompts_for(msgspec.structs.replace(Prompting(), examples=1), TASKS)
    geak = methods.make_method("geak", {})
    wanted = order(tmp_path / "run", "http://127.0.0.1:9/v1", prompts=chosen, method=geak)
    with pytest.raises(BadInput, match="own prompts"):
        write(wanted, [])
    assert not (tmp_path / "run").exists()
