"""Options in messages that name arguments."""

from kernelbenchx.cli.flags import with_flags


def test_arguments_of_the_api_are_named_as_options() -> None:
    said = with_flags("leave `seed` out, or use `stage='exe'`; `tl.exp` stays")
    assert said == "leave --seed out, or use --stage exe; `tl.exp` stays"
