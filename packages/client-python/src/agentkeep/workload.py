"""A program that a trusted issuer proves, as GitHub Actions or Kubernetes."""

from __future__ import annotations

from typing import Callable, NamedTuple


class Workload(NamedTuple):
    """A credential that an issuer proves, and where its assertions come from."""

    #: Id of the credential.
    credential_id: str
    #: Returns a signed JWT of the issuer, as the content of a file of Kubernetes.
    assertion: Callable[[], str]
