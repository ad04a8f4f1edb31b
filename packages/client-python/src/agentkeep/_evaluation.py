"""What an evaluation over cases records, in the form that all clients share."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Dict, Literal, NamedTuple, Optional, cast
from urllib.parse import quote, unquote

from ._json_documents import json_text
from .documents import ExperienceEvent, ExperienceEvidence, ProcedureRecord

Variant = Literal["baseline", "candidate"]

#: Begins the reference of an observation that holds its own evidence.
_DATA = "data:application/json,"


class Run(NamedTuple):
    """What a run is told beside its case."""

    variant: Variant
    #: The instructions of the procedure; ``None`` for the baseline.
    instructions: Optional[str]
    baseline_revision: str


class EvaluationProgress(NamedTuple):
    """How far an evaluation came."""

    #: The procedure as it is now.
    record: ProcedureRecord
    #: Cases that were submitted now.
    submitted: int
    #: Cases that an earlier call had submitted.
    known: int


class RecordedRun(NamedTuple):
    """A run whose result is recorded."""

    attempt_id: str
    utility: float
    cost_units: Optional[int]
    latency_ms: Optional[int]


def digest_of(value: Any) -> str:
    """Returns the SHA-256 of a value as JSON."""
    return hashlib.sha256(json_text(value).encode()).hexdigest()


def evidence_of(result: Dict[str, Any]) -> ExperienceEvidence:
    """Returns the utility of a run, and where to find more, as evidence that holds itself."""
    data = {"utility": _utility_of(result)}
    if result.get("evidence") is not None:
        data["evidence"] = result["evidence"]
    return {"reference": _DATA + quote(json_text(data), safe=""), "sha256": digest_of(data)}


def run_of(attempt_id: str, event: ExperienceEvent) -> RecordedRun:
    """Returns the run that an observation is about."""
    command = event["command"]
    text = unquote(command["evidence"]["reference"][len(_DATA) :])
    utility = cast(float, json.loads(text)["utility"])
    return RecordedRun(attempt_id, utility, command["cost_units"], command["latency_ms"])


def _utility_of(result: Dict[str, Any]) -> float:
    utility = result["utility"]
    if not 0 <= utility <= 1:
        raise ValueError(f"The utility of a run has to be a number from 0 to 1, not {utility}.")
    return cast(float, utility)
