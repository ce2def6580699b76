"""Facts of a task, for people and as JSON."""

from typing import Any


def facts_document(name: str) -> dict[str, Any]:
    """Keys of `kbx tasks --json`; null for tasks that are not of this catalogue."""
    from kernelbenchx.catalog.task_facts import task_facts
    from kernelbenchx.measure.task_bounds import SHOWN, bound_on

    known = task_facts(name)
    return {
        "cooperation": known.cooperation if known else None,
        "operators": known.operators if known else None,
        "passes": known.passes if known else None,
        "flops_per_byte": known.flops_per_byte if known else None,
        "bound": {gpu: bound_on(name, gpu) for gpu in SHOWN} if known else None,
    }


def signatures_line(name: str) -> str:
    """How others spell the function; empty where nothing is published."""
    from kernelbenchx.catalog.facts import facts
    from kernelbenchx.catalog.published_signatures import published_signatures
    from kernelbenchx.checks.binding import binds
    from kernelbenchx.checks.signatures import parse_signature
    from kernelbenchx.evaluate.expectation import expectation_of

    wanted = expectation_of(facts(name), "triton").parameters
    forms = published_signatures(name).by_form.items()
    taken = [(form, by) for form, by in forms if binds(wanted, parse_signature(form)[1])]
    if not taken:
        return ""
    named = "; ".join(f"{form} ({', '.join(sources)})" for form, sources in taken)
    return f"Signatures of others, taken as well: {named}."


def facts_line(name: str) -> str:
    """One line; empty for tasks that are not of this catalogue."""
    from kernelbenchx.catalog.task_facts import MOST_PASSES, task_facts
    from kernelbenchx.measure.task_bounds import STANDARD, bound_on

    known = task_facts(name)
    if known is None:
        return ""
    more = " or more" if known.passes == MOST_PASSES else ""
    passes = f"{known.passes}{more} pass{'es' if known.passes > 1 else ''} over memory"
    operators = f"{known.operators} operator{'s' if known.operators > 1 else ''}"
    return (
        f"Facts: cooperation {known.cooperation}, {operators}, at least {passes}, "
        f"{bound_on(name, STANDARD)}-bound on {STANDARD}, contract {known.contract}."
    )
