"""`kbx generate`: have a model write kernels, and judge them as they come."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kernelbenchx.cli.engine import engine_options, take_engine
from kernelbenchx.cli.model_options import in_flight_option, timeout_option
from kernelbenchx.cli.number_types import Finite
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.cli.settings import evaluation_options, settings_of
from kernelbenchx.cli.standard_option import standard_option
from kernelbenchx.cli.task_choice import chosen_tasks, task_options
from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate import hardware, methods, prompts
from kernelbenchx.generate.examples import EXAMPLES

if TYPE_CHECKING:
    from kernelbenchx.cli.generation_activity import Meter
    from kernelbenchx.cli.generation_progress import GenerationProgress
    from kernelbenchx.generate.models.open_model import Terms


class Methods(click.Command):
    """A command whose help ends with the methods and their options."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """From the files of the methods, so that none is missing."""
        with formatter.section("Methods"):
            formatter.write_dl([(name, methods.about(name)) for name in methods.names()])
        with formatter.section("Their options (-o NAME=VALUE)"):
            for name in methods.names():
                rows = [
                    (f"{one.name}={one.default}", one.words) for one in methods.options_of(name)
                ]
                formatter.write_text(name)
                with formatter.indentation():
                    formatter.write_dl(rows)


UNTIMED = "no times were taken, so the search could not compare speeds: use --stage perf on a GPU"


@click.command("generate", cls=Methods)
@click.option("--method", "method_name", required=True, metavar="METHOD", help="See below.")
@click.option(
    "--model",
    "spec",
    required=True,
    metavar="MODEL",
    help="openai:NAME, anthropic:NAME or replay:FILE; keys come from OPENAI_API_KEY and "
    "ANTHROPIC_API_KEY.",
)
@task_options
@click.option(
    "--out",
    type=NamedPath(path_type=Path),
    default=Path("runs/default"),
    show_default=True,
    help="Run folder; repeat the command to resume it.",
)
@click.option(
    "-o", "--option", "words", multiple=True, metavar="NAME=VALUE", help="An option of the method."
)
@click.option(
    "--prompt",
    "form",
    type=click.Choice(prompts.forms()),
    default=prompts.PLAIN,
    show_default=True,
    help="Prompt format: plain, or that of a published model.",
)
@click.option(
    "--examples",
    type=click.IntRange(0, len(EXAMPLES)),
    default=0,
    show_default=True,
    help="Worked examples in the request; none of them is a task.",
)
@click.option("--hardware", default="", help="Tell the model about this GPU, such as H200.")
@click.option(
    "--hardware-facts",
    "facts",
    help=f"What to tell about it, separated by commas: {', '.join(hardware.TEMPLATES)}.  "
    f"[default: {hardware.SHEET}]",
)
@click.option(
    "--temperature", type=Finite(0, 2), help="Sampling temperature.  [default: the method's own]"
)
@click.option(
    "--max-tokens",
    type=click.IntRange(16, 1 << 20),
    help="Most tokens of one reply, reasoning included.  [default: the method's own, else 16384]",
)
@in_flight_option
@click.option("--cap-tokens", type=click.IntRange(1), help="Stop before the run uses more tokens.")
@click.option(
    "--cap-dollars",
    type=Finite(0, min_open=True),
    help="Stop before the run costs more dollars; needs --prices.",
)
@click.option(
    "--prices",
    type=NamedPath(path_type=Path, dir_okay=False),
    help="A TOML file with dollars per million tokens.",
)
@click.option("--base-url", help="URL of the server; also OPENAI_BASE_URL or ANTHROPIC_BASE_URL.")
@timeout_option
@standard_option("What counts as solved: methods choose and stop by it, and the run counts it.")
@evaluation_options
@engine_options
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(out: Path, as_json: bool, **options: Any) -> int:
    """Let a model write kernels for tasks, and evaluate them.

    Every request and reply is kept in the run. Repeat the command to resume: nothing that was
    answered is asked again.
    """
    from kernelbenchx.cli.generation_progress import GenerationProgress
    from kernelbenchx.evaluate.dependencies import require_evaluation_extra

    require_evaluation_extra()
    quiet = as_json and not sys.stderr.isatty()
    with GenerationProgress(quiet=quiet, standard=options["standard"]) as progress:
        meter = _run_generation(out, options, progress)
    from kernelbenchx.cli import generation_summary

    if as_json:
        print_json(generation_summary.document(progress.tally, meter, out))
    else:
        generation_summary.print_generation(progress.tally, meter, out, console())
        if options["method_name"] == "search" and options["stage"] != "perf":
            print(UNTIMED)
    return generation_summary.exit_code(progress.tally)


def _run_generation(out: Path, options: dict[str, Any], progress: "GenerationProgress") -> "Meter":
    """All tasks to their end; nothing is written where the command itself is wrong."""
    from kernelbenchx.cluster.engine import open_engine, resolve
    from kernelbenchx.generate.write_run import RunOrder, write_run

    tasks = chosen_tasks(options["patterns"], options["track"], options["levels"])
    method = methods.make_method(options["method_name"], parse_method_options(options["words"]))
    chosen = _prompts(options, tasks)
    chosen.refuse_unused(method.uses)
    wanted = settings_of(options)
    with open_engine(take_engine(options), wanted) as engine:
        order = RunOrder(
            method_name=options["method_name"],
            method=method,
            model=options["spec"],
            tasks=tasks,
            prompts=chosen,
            settings=resolve(wanted, engine),
            out=out,
            terms=terms_of(options),
            temperature=options["temperature"],
            max_tokens=options["max_tokens"],
            standard=options["standard"],
            engine=engine,
        )
        lost = write_run(order, progress, os.environ, progress.watch_model)
    return replace(progress.read_meter(), lost=lost)


def _prompts(options: dict[str, Any], tasks: Sequence[str]) -> prompts.FormPrompts:
    if options["facts"] is not None and not options["hardware"]:
        raise BadInput("--hardware-facts needs --hardware: it says which GPU")
    kinds = hardware.SHEET if options["facts"] is None else options["facts"]
    wanted = prompts.Prompting(
        form=options["form"],
        examples=options["examples"],
        hardware=options["hardware"],
        facts=hardware.facts_named(kinds),
    )
    return prompts.prompts_for(wanted, tasks)


def parse_method_options(words: tuple[str, ...]) -> dict[str, str]:
    """`name=value` words as a dictionary."""
    found = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name.strip():
            raise BadInput(f"-o {word}: expected NAME=VALUE")
        found[name.strip()] = value.strip()
    return found


def terms_of(options: dict[str, Any]) -> "Terms":
    """What is true of all requests of the run."""
    from kernelbenchx.generate.budget import Caps
    from kernelbenchx.generate.models.open_model import Terms
    from kernelbenchx.generate.prices import Prices, read_prices
    from kernelbenchx.generate.retry_policy import RetryPolicy

    return Terms(
        base_url=options["base_url"],
        in_flight=options["in_flight"],
        caps=Caps(tokens=options["cap_tokens"], dollars=options["cap_dollars"]),
        prices=Prices() if options["prices"] is None else read_prices(options["prices"]),
        patience=RetryPolicy(timeout_s=options["timeout"]),
    )
