"""The tokens of a service that acts for subjects."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Dict

from .._memory_documents import versioned
from ._calls import Calls
from ._held_secret import HeldSecret

#: Most subjects whose tokens are kept; those that were used longest ago give way.
_SUBJECTS_MAX = 10_000


class SubjectTokens:
    """The tokens of one service, kept by subject, so that a request costs no call of its own."""

    def __init__(self, service: Calls) -> None:
        self._service = service
        self._held: OrderedDict[str, HeldSecret] = OrderedDict()

    def of(self, subject: str) -> HeldSecret:
        """Returns the token of a subject, which is got before the first call."""
        held = self._held.pop(subject, None) or self._token_of(subject)
        self._held[subject] = held
        if len(self._held) > _SUBJECTS_MAX:
            self._held.popitem(last=False)
        return held

    def _token_of(self, subject: str) -> HeldSecret:
        async def renew() -> Dict[str, Any]:
            document = versioned({"subject_id": subject})
            return await self._service.call("issueSubjectToken", document=document)

        return HeldSecret(None, renew=renew)
