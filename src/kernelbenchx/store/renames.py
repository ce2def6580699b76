"""Names that changed with version 8 of the tables, as SQL that gives older runs the new ones."""

FIRST_VERSION = 8
"""The first version of the tables that has the new names."""
OLD_TABLES = {"pending_requests": "under_way"}
OLD_COLUMNS = {
    "speed_class": "pace",
    "core_speed_class": "core_pace",
    "roofline_us": "limit_us",
    "judged_outputs": "judged",
}
"""By today's name."""

_EVALUATION_KEYS = {
    "pace": "speed_class",
    "card": "gpu",
    "limit_us": "roofline_us",
    "judged": "judged_outputs",
    "waits": "waits_for_host",
    "parts": "kernel_shares",
    "strangers": "other_processes",
    "picture": "error_map",
}


def _replaced(expression: str, changes: dict[str, str]) -> str:
    """Nested replacements of texts."""
    for old, new in changes.items():
        expression = f"replace({expression}, '{old}', '{new}')"
    return expression


def _keys(changes: dict[str, str]) -> dict[str, str]:
    """As they stand in JSON; within a text of JSON every quote has a backslash before it."""
    return {f'"{old}":': f'"{new}":' for old, new in changes.items()}


_EVALUATION = _replaced(
    "record", _keys(_EVALUATION_KEYS) | {'"tier":"wall"': '"tier":"host_timed"'}
)
_TIER = "CASE tier WHEN 'wall' THEN 'host_timed' ELSE tier END"
VALUES = {
    ("evaluations", "record"): _EVALUATION,
    ("feedback", "record"): _EVALUATION,
    ("trials", "record"): _replaced("record", _keys({"said": "detail"})),
    ("meta", "value"): "CASE key WHEN 'generation' THEN "
    + _replaced("value", _keys({"wall_s": "time_limit_s"}))
    + " ELSE value END",
    **{(table, "tier"): _TIER for table in ("evaluations", "timings", "core_timings", "samples")},
}
"""What a column of an older run holds in today's words, by table and column."""

MIGRATION = "\n".join(
    [
        "ALTER TABLE evaluations RENAME COLUMN pace TO speed_class;",
        "ALTER TABLE evaluations RENAME COLUMN core_pace TO core_speed_class;",
        *(
            f"ALTER TABLE {table} RENAME COLUMN {OLD_COLUMNS[name]} TO {name};"
            for table in ("timings", "core_timings")
            for name in ("speed_class", "roofline_us", "judged_outputs")
        ),
        *(f"ALTER TABLE {old} RENAME TO {new};" for new, old in OLD_TABLES.items()),
        *(f"UPDATE {table} SET {column} = {value};" for (table, column), value in VALUES.items()),
    ]
)
