"""When a failed call is sent again, and after how long."""

from __future__ import annotations

from typing import NamedTuple, Optional, Union

from .errors import AgentkeepError, RefusedMember, error_of

_TRIES_MAX = 100
_SECONDS_MAX = 2_147_483.647

#: Refusals before anything was done, after which every call may be sent again.
_NOTHING_DONE = frozenset(
    {"rate_limit_exceeded", "server_stopping", "service_busy", "login_busy"}
)

#: Failures that leave open what was done, or where it is stored.
_PERHAPS_DONE = frozenset(
    {"server_unreachable", "store_unavailable", "replica_unavailable", "internal_error"}
)


#: Errors about one server, where another one may answer.
_OF_SERVER = frozenset({"server_stopping", "server_unreachable"})


class Retry(NamedTuple):
    """The bounds of sending a call again.

    A call is sent again after a refusal before anything was done, and, if it only reads or names
    its intent, after a failure that leaves open what was done.
    """

    #: Most tries of one call, the first one included: 1 to 100.
    tries: int = 6
    #: Longest time from the first failure to the start of the last try.
    total_seconds: float = 30.0
    #: Longest wait before the second try; it doubles with each.
    first_wait_seconds: float = 0.2
    #: Longest wait between two tries.
    longest_wait_seconds: float = 5.0


class FailedTry(NamedTuple):
    """A try that failed, and the wait that its answer asks for."""

    error: AgentkeepError
    retry_after_seconds: Optional[float] = None


def is_of_server(failed: FailedTry) -> bool:
    """Returns whether a failure is about one server, so that another one may answer."""
    return failed.error.code in _OF_SERVER


def checked_retry(retry: Union[Retry, bool]) -> Retry:
    """Returns the policy that an option states: ``False`` is one try, ``True`` the defaults.

    Raises ``invalid_request`` for a bound that is none.
    """
    if isinstance(retry, bool):
        return Retry() if retry else Retry(tries=1)
    if not isinstance(retry, Retry):
        raise wrong_option("retry", "an instance of Retry, or False for one try only")
    if not isinstance(retry.tries, int) or not 1 <= retry.tries <= _TRIES_MAX:
        raise wrong_option("retry.tries", f"an integer from 1 to {_TRIES_MAX}")
    for name in ("total_seconds", "first_wait_seconds", "longest_wait_seconds"):
        checked_seconds(f"retry.{name}", getattr(retry, name))
    return retry


def checked_seconds(name: str, value: float) -> float:
    """Returns a time. Raises ``invalid_request`` for one that is none."""
    if isinstance(value, (int, float)) and 0 < value <= _SECONDS_MAX:
        return float(value)
    raise wrong_option(name, "a positive number of seconds")


def wrong_option(path: str, expected: str) -> AgentkeepError:
    """Returns the error for a wrong argument of a client."""
    return error_of(
        "invalid_request",
        f"`{path}` must be {expected}." if path else f"The document must have {expected}.",
        members=[RefusedMember(path, expected)],
    )


def wait_before_retry(
    failed: FailedTry,
    *,
    is_repeatable: bool,
    is_elsewhere: bool = False,
    tries_made: int,
    elapsed_seconds: float,
    chance: float,
    retry: Retry,
) -> Optional[float]:
    """Returns the seconds to wait before the next try, or ``None`` when there is none.

    Waits double up to the longest, and chance takes up to half off, so that many clients don't
    return at once. An answer that says how long to wait is obeyed: chance only adds to it. A try at
    another server, ``is_elsewhere``, needs no wait.
    """
    code = failed.error.code
    may_repeat = code in _NOTHING_DONE or (is_repeatable and code in _PERHAPS_DONE)
    if not may_repeat or tries_made >= retry.tries:
        return None
    if is_elsewhere:
        return None if elapsed_seconds > retry.total_seconds else 0.0
    if failed.retry_after_seconds is None:
        doubled = retry.first_wait_seconds * 2.0 ** (tries_made - 1)
        wait = min(retry.longest_wait_seconds, doubled) * (1 - chance / 2)
    else:
        wait = failed.retry_after_seconds + retry.first_wait_seconds * chance / 2
    return None if elapsed_seconds + wait > retry.total_seconds else wait
