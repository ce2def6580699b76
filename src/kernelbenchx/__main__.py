"""`python -m kernelbenchx` runs `kbx`."""

from kernelbenchx.cli.supervisor import run_in_child, run_until_signal


def main() -> None:
    """Run the command line in a process that can be stopped at any moment."""
    run_in_child()
    from kernelbenchx.cli.main import main as run_command

    run_until_signal(run_command)


if __name__ == "__main__":
    main()
