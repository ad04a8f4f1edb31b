"""The programs that an account connected by OAuth."""

from __future__ import annotations

from typing import List, cast

from ..documents import Connection
from ._calls import Calls


class AsyncConnections:
    """The programs of the calling account. A credential has none and gets ``forbidden``."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def list(self) -> List[Connection]:
        """Returns the live connections, the newest first; at most 64."""
        answer = await self._calls.call("listConnections")
        return cast(List[Connection], answer["connections"])

    async def end(self, id: str) -> None:
        """Ends a connection: its program is refused from then on."""
        await self._calls.call("endConnection", id=id)
