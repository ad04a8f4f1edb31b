"""Calls an Agentkeep server: scoped memory, learning and audit of software agents."""

from ._async._agentkeep import AsyncAgentkeep
from ._async._calls import Clock as AsyncClock
from ._async._scoped_memory import AsyncScopedMemory
from ._conflicts import Conflict
from ._consolidation import ChangedMemory, Consolidation
from ._contract import VERSION as __version__
from ._contract import ErrorCode, ErrorKind
from ._evaluation import EvaluationProgress, Run
from ._recollection import Recollection
from ._sync._agentkeep import Agentkeep
from ._sync._calls import Clock
from ._sync._scoped_memory import ScopedMemory
from .errors import (
    AgentkeepError,
    BusyError,
    ConflictError,
    ForbiddenError,
    GoneError,
    InternalError,
    InvalidError,
    LockedError,
    NotFoundError,
    RateLimitedError,
    RefusedMember,
    TooLargeError,
    UnauthenticatedError,
    UnavailableError,
)
from .retry import Retry
from .workload import Workload

__all__ = [
    "Agentkeep",
    "AgentkeepError",
    "AsyncAgentkeep",
    "AsyncClock",
    "AsyncScopedMemory",
    "BusyError",
    "ChangedMemory",
    "Clock",
    "ConflictError",
    "Conflict",
    "Consolidation",
    "ErrorCode",
    "ErrorKind",
    "EvaluationProgress",
    "ForbiddenError",
    "GoneError",
    "InternalError",
    "InvalidError",
    "LockedError",
    "NotFoundError",
    "RateLimitedError",
    "Recollection",
    "RefusedMember",
    "Retry",
    "Run",
    "ScopedMemory",
    "TooLargeError",
    "UnauthenticatedError",
    "UnavailableError",
    "Workload",
    "__version__",
]
