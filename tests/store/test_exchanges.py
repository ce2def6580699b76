import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Exchange, Message, Reply, Request, Usage
from kernelbenchx.store.database import writing
from kernelbenchx.store.exchanges import each_exchange, read_asked, read_reasoning
from kernelbenchx.store.layout import RunFolder


def exchange(key: str, finish: str = "stop", task: str = "activation/relu") -> Exchange:
    reply = {"text": f"text of {key}", "finish": finish, "model": "m-1"}
    usage = Usage(prompt=10, completion=3, cached=4)
    return Exchange(
        key=key,
        task=task,
        step="round 1/generator",
        request=Request(model="m", messages=(Message("user", "do"),), max_tokens=5, seed=1),
        reply=msgspec.convert(reply | {"usage": usage}, Reply),
        cost=0.25,
        templates={"plain": "f" * 64},
    )


def test_what_was_said_is_kept_and_read_back(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        assert database.exchange("a") is None
        database.keep_exchange(exchange("a"), "refine")
        database.keep_exchange(exchange("b", task="math/add"), "refine")
        assert database.exchange("a") == exchange("a")
        assert database.sum_usage() == Usage(prompt=20, completion=6, cached=8)
    assert list(each_exchange(tmp_path)) == [exchange("a"), exchange("b", task="math/add")]
    assert list(each_exchange(tmp_path, "math/add")) == [exchange("b", task="math/add")]
    asked = read_asked(tmp_path)[0]
    assert (asked.key, asked.task, asked.method, asked.model) == (
        "a",
        "activation/relu",
        "refine",
        "m",
    )
    assert (asked.prompt_tokens, asked.completion_tokens, asked.cached_tokens) == (10, 3, 4)
    assert (asked.cost, asked.step, asked.finish) == (0.25, "round 1/generator", "stop")


def test_a_reply_stays_and_only_a_failure_is_overwritten(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.keep_exchange(exchange("a"), "m")
        other = msgspec.structs.replace(exchange("a"), step="another")
        database.keep_exchange(other, "m")
        assert database.exchange("a") == exchange("a")
        database.keep_exchange(exchange("b", "error"), "m")
        database.keep_exchange(exchange("b"), "m")
        assert database.exchange("b") == exchange("b")
    lost_and_found = read_asked(tmp_path)[1]
    assert (lost_and_found.finish, lost_and_found.cost) == ("stop", 0.5)
    assert lost_and_found.prompt_tokens == 20  # what was lost was paid for too


RELU = ("activation/relu", "round 1/generator")


def test_what_was_sent_counts_as_spent_until_its_exchange_is_kept(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.record_send(Usage(prompt=100, completion=50), *RELU)
        database.record_send(Usage(prompt=7, completion=3), "activation/relu", "another step")
        assert database.sum_usage() == Usage(prompt=107, completion=53)
        database.keep_exchange(exchange("a"), "m")
        assert database.sum_usage() == Usage(prompt=17, completion=6, cached=4)
    with writing(RunFolder(tmp_path)) as database:  # the process ended meanwhile
        assert database.sum_usage() == Usage(prompt=17, completion=6, cached=4)
        again = msgspec.structs.replace(exchange("b"), step="another step")
        database.record_send(Usage(prompt=7, completion=3), "activation/relu", "another step")
        database.keep_exchange(again, "m")
        assert database.sum_usage() == Usage(prompt=27, completion=9, cached=8)


def test_an_exchange_that_is_not_kept_leaves_what_was_sent(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.keep_exchange(exchange("a"), "m")
        database.record_send(Usage(prompt=7, completion=3), *RELU)
        database.keep_exchange(exchange("a"), "m")
        assert database.sum_usage() == Usage(prompt=17, completion=6, cached=4)


def test_a_try_that_took_nothing_is_forgotten_and_its_number_with_it(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        first = database.record_send(Usage(prompt=100, completion=50), *RELU)
        database.free(first)
        assert database.sum_usage() == Usage(prompt=0, completion=0)
        assert database.record_send(Usage(prompt=7, completion=3), "math/add", "only") == first
        database.keep_exchange(exchange("a"), "m")
        assert database.sum_usage() == Usage(prompt=17, completion=6, cached=4)


def test_many_threads_write_at_once(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:

        def write(start: int) -> None:
            for number in range(start, 100, 4):
                database.keep_exchange(exchange(str(number)), "m")
                assert database.exchange(str(number)) is not None

        threads = [threading.Thread(target=write, args=(start,)) for start in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(read_asked(tmp_path)) == 100


def test_what_is_no_transcript_is_refused(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.keep_exchange(exchange("a"), "m")
    with sqlite3.connect(tmp_path / "run.sqlite") as connection:
        connection.execute("UPDATE exchanges SET record = '{}'")
    connection.close()
    with pytest.raises(BadInput, match="another version"):
        next(each_exchange(tmp_path))


def test_a_model_reasons_if_one_of_its_replies_does(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        for number, (model, thought) in enumerate(
            [("thinker", ""), ("thinker", "first, ..."), ("talker", ""), ("talker", "")]
        ):
            one = exchange(f"{number}")
            database.keep_exchange(
                replace(
                    one,
                    request=replace(one.request, model=model),
                    reply=replace(one.reply, reasoning=thought),
                ),
                "refine",
            )
    with closing(sqlite3.connect(RunFolder(tmp_path).database)) as connection:
        assert read_reasoning(connection) == {"thinker": "yes", "talker": "no"}
