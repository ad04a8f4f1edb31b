"""When a call is sent again: the same cases as in the TypeScript client."""

from __future__ import annotations

import pickle
from typing import Any, Optional

import httpx
import pytest

from agentkeep import AgentkeepError, ConflictError, RefusedMember, Retry
from agentkeep._answers import read_answer
from agentkeep.errors import error_of
from agentkeep.retry import FailedTry, wait_before_retry


def wait(code: Any, **changes: Any) -> Optional[float]:
    after = changes.pop("after", None)
    situation: Any = {
        "is_repeatable": False,
        "tries_made": 1,
        "elapsed_seconds": 0.0,
        "chance": 0.0,
        "retry": Retry(),
        **changes,
    }
    return wait_before_retry(FailedTry(error_of(code), after), **situation)


@pytest.mark.parametrize("code", ["rate_limit_exceeded", "server_stopping", "login_busy"])
def test_every_call_goes_again_after_a_refusal_before_anything_was_done(code: str) -> None:
    assert wait(code) == 0.2


@pytest.mark.parametrize(
    "code", ["server_unreachable", "store_unavailable", "replica_unavailable", "internal_error"]
)
def test_only_repeatable_calls_go_again_if_the_outcome_is_unknown(code: str) -> None:
    assert wait(code) is None
    assert wait(code, is_repeatable=True) == 0.2


@pytest.mark.parametrize("code", ["unauthorized", "revision_conflict", "unexpected_answer"])
def test_other_failures_are_final(code: str) -> None:
    assert wait(code, is_repeatable=True) is None


def test_waits_double_up_to_the_longest_and_chance_takes_up_to_half_off() -> None:
    waits = [wait("service_busy", tries_made=tries) for tries in range(1, 7)]
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, None]
    patient = Retry(tries=100)
    assert wait("service_busy", tries_made=50, retry=patient) == 5.0
    assert wait("service_busy", chance=0.5) == pytest.approx(0.15)


def test_an_answer_that_says_how_long_to_wait_is_obeyed() -> None:
    assert wait("service_busy", after=3.0) == 3.0
    assert wait("service_busy", after=3.0, chance=0.5) == pytest.approx(3.05)
    assert wait("service_busy", after=3.0, elapsed_seconds=27.5) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7.0),
        ("Mon, 03 Nov 2025 09:00:05 GMT", 5.0),
        ("Mon, 03 Nov 2025 08:00:00 GMT", 0.0),
        ("soon", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(text: str, seconds: Optional[float]) -> None:
    headers = {"Retry-After": text, "Date": "Mon, 03 Nov 2025 09:00:00 GMT"}
    outcome = read_answer("whoAmI", httpx.Response(503, headers=headers), b"busy")
    assert isinstance(outcome, FailedTry)
    assert outcome.retry_after_seconds == seconds


def test_an_error_survives_pickling() -> None:
    error = error_of("revision_conflict", "m", members=[RefusedMember("a", "b")])
    copy = pickle.loads(pickle.dumps(error))
    assert isinstance(copy, ConflictError) and isinstance(copy, AgentkeepError)
    assert (copy.code, copy.message, copy.members) == ("revision_conflict", "m", error.members)
