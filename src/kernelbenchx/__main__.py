"""`python -m kernelbenchx` is `kbx`."""

from kernelbenchx.cli.main import main

if __name__ == "__main__":
    main()
