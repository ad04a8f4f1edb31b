"""The embedding spaces of a scope, one for each model."""

from __future__ import annotations

from typing import List, Optional, Sequence, cast

from .._memory_documents import scope_parameters, versioned
from ..documents import NewEmbedding, Scope, SpacesResponse
from ._calls import Calls


class AsyncSpaces:
    """Embeddings of several models beside each other."""

    def __init__(self, calls: Calls, scope: Scope) -> None:
        self._calls = calls
        self._scope = scope

    async def list(self) -> SpacesResponse:
        """Shows the spaces of the scope, and which one is meant where none is named."""
        parameters = scope_parameters(self._scope, {})
        answer = await self._calls.call("listEmbeddingSpaces", parameters=parameters)
        return cast(SpacesResponse, answer)

    async def attach(
        self, embeddings: Sequence[NewEmbedding], *, space: Optional[str] = None
    ) -> List[bool]:
        """Attaches up to 64 embeddings to current revisions; returns whether each was attached."""
        members = {"scope": self._scope, "space": space, "embeddings": list(embeddings)}
        answer = await self._calls.call("attachEmbeddings", document=versioned(members))
        return [outcome["is_attached"] for outcome in answer["outcomes"]]

    async def use(self, space: str) -> SpacesResponse:
        """Makes a space the default: searches and embeddings that name none are in it."""
        document = versioned({"scope": self._scope, "space": space})
        answer = await self._calls.call("useEmbeddingSpace", document=document)
        return cast(SpacesResponse, answer)

    async def drop(self, space: str) -> SpacesResponse:
        """Removes a space with the embeddings that were attached in it.

        Raises ``invalid_request`` for the default of the scope.
        """
        document = versioned({"scope": self._scope, "space": space})
        while True:
            answer = await self._calls.call("dropEmbeddingSpace", document=document)
            spaces = cast(SpacesResponse, answer)
            if not any(each["space"] == space and each["is_dropping"] for each in spaces["spaces"]):
                return spaces
