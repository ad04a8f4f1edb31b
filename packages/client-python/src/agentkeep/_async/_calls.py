"""Calls of operations over the network, sent again where that is safe."""

from __future__ import annotations

import random
import time
from typing import Any, Awaitable, Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Union

import httpx

from .._answers import BoundedBody, no_answer, read_answer
from .._contract import ROUTES
from .._requests import Addresses, Request, request_of
from ..errors import error_of
from ..retry import (
    FailedTry,
    Retry,
    checked_retry,
    checked_seconds,
    is_of_server,
    wait_before_retry,
    wrong_option,
)
from ._held_secret import HeldSecret
from ._platform import HttpClient, HttpTransport, pause


class Clock(NamedTuple):
    """Time, waits and chance, which tests replace."""

    monotonic: Callable[[], float] = time.monotonic
    pause: Callable[[float], Awaitable[None]] = pause
    random: Callable[[], float] = random.random


class Server:
    """A server to call, and how."""

    def __init__(
        self,
        url: Union[str, Sequence[str]],
        *,
        retry: Union[Retry, bool] = True,
        timeout_seconds: float = 60.0,
        transport: Optional[HttpTransport] = None,
        clock: Optional[Clock] = None,
        auth: Optional[httpx.Auth] = None,
    ) -> None:
        self._addresses = Addresses(url)
        self._retry = checked_retry(retry)
        self._timeout_seconds = checked_seconds("timeout_seconds", timeout_seconds)
        self._clock = clock or Clock()
        #: Whether it was found to make embeddings, so that a question goes to it as a text.
        self.makes_embeddings = False
        self._http = HttpClient(transport=transport, follow_redirects=False, auth=auth)

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._http.aclose()

    async def call(
        self,
        secret: Optional[str],
        name: str,
        *,
        id: Optional[str] = None,
        parameters: Optional[Mapping[str, Any]] = None,
        document: Optional[Mapping[str, Any]] = None,
    ) -> Dict[str, Any]:
        """Makes a call, in as many tries as the options allow."""
        parts: Dict[str, Any] = {"id": id, "parameters": parameters, "document": document}
        first_failure: Optional[float] = None
        tries_made = 0
        others = self._addresses.count - 1
        while True:
            address = self._addresses.current
            request = request_of(address, secret, name, **parts)
            outcome = await self._try_once(name, request)
            if not isinstance(outcome, FailedTry):
                return outcome
            tries_made += 1
            is_away = is_of_server(outcome)
            if is_away:
                self._addresses.leave(address)
            # After a round of all servers there is a wait.
            is_elsewhere = is_away and others > 0
            others = others - 1 if is_elsewhere else self._addresses.count - 1
            now = self._clock.monotonic()
            first_failure = now if first_failure is None else first_failure
            wait = wait_before_retry(
                outcome,
                is_repeatable=ROUTES[name].is_repeatable,
                is_elsewhere=is_elsewhere,
                tries_made=tries_made,
                elapsed_seconds=now - first_failure,
                chance=self._clock.random(),
                retry=self._retry,
            )
            if wait is None:
                raise outcome.error
            await self._clock.pause(wait)

    async def _try_once(self, name: str, request: Request) -> Union[Dict[str, Any], FailedTry]:
        try:
            async with self._http.stream(
                request.method,
                request.url,
                headers=request.headers,
                content=request.content,
                timeout=self._timeout_seconds + request.wait_seconds,
            ) as response:
                body = BoundedBody()
                async for chunk in response.aiter_bytes():
                    if not body.add(chunk):
                        break
        except httpx.InvalidURL as error:
            raise wrong_option("url", "an address") from error
        except RuntimeError as error:
            if not self._http.is_closed:
                raise
            raise error_of("store_closed", "The client is closed. Make another one.") from error
        except httpx.RequestError as error:
            return FailedTry(no_answer(request.url, error))
        return read_answer(name, response, body.content)


class Calls:
    """The calls of one principal."""

    def __init__(self, server: Server, held: HeldSecret) -> None:
        #: The server of the calls.
        self.server = server
        self._held = held

    async def call(
        self,
        name: str,
        *,
        id: Optional[str] = None,
        parameters: Optional[Mapping[str, Any]] = None,
        document: Optional[Mapping[str, Any]] = None,
    ) -> Dict[str, Any]:
        """Makes a call with the secret of the principal."""
        secret = await self._held.for_call(name)
        output = await self.server.call(
            secret, name, id=id, parameters=parameters, document=document
        )
        self._held.observe(name, output)
        return output
