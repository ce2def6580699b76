"""The options that say how models are asked, for every command that does."""

import click

from kernelbenchx.cli.number_types import Finite

in_flight_option = click.option(
    "--in-flight",
    type=click.IntRange(1, 1024),
    default=16,
    show_default=True,
    help="Requests at once.",
)
timeout_option = click.option(
    "--timeout",
    type=Finite(1, 7200),
    default=600.0,
    show_default=True,
    help="Time limit for one reply, in seconds.",
)
