"""The command `kbx`: finds a command's file when it is asked for, so that help is instant."""

import difflib
import errno
import importlib
import io
import sqlite3
import sys

import click

from kernelbenchx import __version__
from kernelbenchx.cli.flags import with_flags
from kernelbenchx.cli.number_format import one_line, short
from kernelbenchx.core.errors import KbxError

COMMANDS = {
    "demo": "Evaluate sample kernels and write a report; needs no GPU.",
    "tasks": "List the tasks.",
    "show": "Show the statement of a task, or a result of a run.",
    "eval": "Evaluate submissions.",
    "audit": "Name KernelBench problems that a trivial answer passes.",
    "generate": "Let a model write kernels, and evaluate them.",
    "study": "Run a whole experiment from a file: runs, tables, report.",
    "compile": "Cross-compile kernels for a GPU you don't have.",
    "certify": "Check that tasks can be solved and catch wrong kernels.",
    "nearmiss": "Run kernels that break one clause of a task's statement.",
    "redteam": "Run the attack suite against this installation.",
    "query": "Query runs with read-only SQL.",
    "analyze": "Analyze runs: rates, speed, variance, rounds, with intervals.",
    "export": "Write steps between kernels, or recorded replies, to files.",
    "report": "Write a report of runs as a static site.",
}
"""In the order of help; each is the function `command` of `cli/<name>.py`."""


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""Errors of a disk, not faults of kbx."""


class LazyCommands(click.Group):
    """Imports a command's file only when that command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"kernelbenchx.cli.{_file(cmd_name)}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with the command that was probably meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]}?", ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _file(name: str) -> str:
    return {"eval": "evaluate", "compile": "compile_"}.get(name, name)


@click.group(
    cls=LazyCommands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="kbx")
@click.pass_context
def kbx(ctx: click.Context) -> None:
    """Evaluate LLM-written GPU kernels: is it right, how fast, and can you trust the answer?"""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Exit code 0: done; 1: a certificate failed or an attack got through; 2: bad usage.

    130, and 143 for SIGTERM: stopped, which `supervisor` says.
    """
    _accept_any_character()
    try:
        code = kbx(prog_name="kbx", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        _complain(describe_usage_error(error))
        sys.exit(2)
    except KbxError as error:
        _complain(str(error))
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except (OSError, sqlite3.OperationalError) as error:
        said = _of_the_system(error)
        if not said:
            raise
        _complain(said)
        sys.exit(2)


def _accept_any_character() -> None:
    """The encoding of a locale may lack what a name or the frame of a table needs."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _of_the_system(error: OSError | sqlite3.OperationalError) -> str:
    """What a disk lacks or a file does not allow; nothing for a fault of kbx."""
    if not isinstance(error, OSError) or error.errno in NO_ROOM:
        return f"cannot write: {error}; finished results are kept"
    if isinstance(error.filename, str) and error.strerror:
        return f"{short(error.filename)}: {error.strerror}"
    return ""


def describe_usage_error(error: click.ClickException) -> str:
    """What is wrong with a command line, and the command that lists its options."""
    said = error.format_message().rstrip()
    asked = error.ctx if isinstance(error, click.UsageError) else None
    if asked is None:
        return said
    if said.startswith("Usage:"):  # click's way to say that a command of a group is missing
        said = "Missing command."
    stop = "" if said.endswith((".", "?")) else "."
    return f"{said}{stop} See {asked.command_path} --help."


def _complain(said: str) -> None:
    """In one line, whatever is quoted in it."""
    print(f"kbx: {one_line(with_flags(said))}", file=sys.stderr)
