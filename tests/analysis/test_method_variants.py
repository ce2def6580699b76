from kernelbenchx.analysis.method_variants import RunVariant, variants


def _begun(run: str, method: str = "refine", model: str = "m", **choices: str) -> RunVariant:
    return RunVariant(run, method, model, choices)


def test_runs_that_differ_are_called_by_what_differs() -> None:
    found = variants(
        [
            _begun("a", rounds="5", profile="true", form="plain"),
            _begun("b", rounds="5", profile="false", form="claude"),
            _begun("c", rounds="5", profile="false", form="claude"),
        ]
    )
    assert found == {
        "a": {"refine": "refine profile=true form=plain"},
        "b": {"refine": "refine profile=false form=claude"},
        "c": {"refine": "refine profile=false form=claude"},
    }


def test_runs_that_do_not_differ_keep_their_name() -> None:
    assert variants([]) == variants([_begun("a", rounds="5")]) == {}
    assert variants([_begun("a", rounds="5"), _begun("b", rounds="5")]) == {}


def test_other_methods_and_models_are_apart_already() -> None:
    given = [_begun("a", x="1"), _begun("b", method="geak", x="2"), _begun("c", model="n", x="3")]
    assert variants(given) == {}


def test_a_choice_that_one_version_did_not_know_is_left_out_of_its_name() -> None:
    found = variants([_begun("a", x="1"), _begun("b", x="1", new="2")])
    assert found == {"a": {"refine": "refine"}, "b": {"refine": "refine new=2"}}
