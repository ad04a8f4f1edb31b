"""The client of a server."""

from __future__ import annotations

import re
from types import TracebackType
from typing import Any, Dict, Iterable, Mapping, Optional, Sequence, Type, Union, cast

from .._caller_key import CallerKey
from .._evaluation import EvaluationProgress
from .._memory_documents import given
from .._secret_file import Path
from ..documents import AuthLoginResponse, Capability, Credential, Health, Scope
from ..retry import Retry, wrong_option
from ..workload import Workload
from ._access import AsyncAccess
from ._audit import AsyncAudit
from ._branches import AsyncBranches
from ._proposals import AsyncProposals
from ._calls import Calls, Clock, Server
from ._connections import AsyncConnections
from ._credentials import AsyncCredentials
from ._erasures import AsyncErasures
from ._evaluation import AsyncEvaluation, RunCase
from ._experiences import AsyncExperiences
from ._exports import AsyncExports
from ._held_secret import HeldSecret
from ._learning import AsyncLearning
from ._people import AsyncPeople
from ._platform import HttpTransport
from ._retention import AsyncRetention
from ._scoped_memory import AsyncScopedMemory
from ._session import AsyncSession
from ._sign_in import AsyncSignIn
from ._subject_tokens import SubjectTokens
from ._subjects import WantedSubject, subject_secret, wanted_scopes
from ._tools import AsyncTools
from ._workload_token import exchanged

_VISIBLE = re.compile(r"[!-~]+")


def _held(option: str, secret: Optional[str]) -> HeldSecret:
    if not isinstance(secret, str) or _VISIBLE.fullmatch(secret) is None:
        raise wrong_option(option, "a text of visible ASCII")
    return HeldSecret(secret)


class AsyncAgentkeep:
    """One principal of a server, and what it can do. It sends nothing before its first call.

    Every failure is an ``AgentkeepError`` with a stable ``code``: ``server_unreachable`` if no
    answer comes, ``unexpected_answer`` if the answer is none of the contract.

    ``secret`` is that of a credential or of a session, an access token, or an API key. In its place,
    ``key`` has the ``private_key`` of a credential that was issued for its public key, as a JWK, and
    the ``token`` that names the credential: each request proves the key. It needs the extra
    ``agentkeep[keys]``. Or ``workload`` names a credential that a trusted issuer proves.
    ``url`` is an address, or those of servers that share a store: a list of 1 to 16, or a text with
    commas. Calls go to the first, and when it stops or can't be reached at once to the next.
    ``timeout_seconds`` bounds each step of one try: to connect, to send, and each wait for data.
    ``transport`` takes the place of the network, for instance in tests.
    """

    def __init__(
        self,
        url: Union[str, Sequence[str]],
        secret: Optional[str] = None,
        *,
        key: Optional[Mapping[str, Any]] = None,
        workload: Optional[Workload] = None,
        retry: Union[Retry, bool] = True,
        timeout_seconds: float = 60.0,
        transport: Optional[HttpTransport] = None,
        clock: Optional[Clock] = None,
    ) -> None:
        if sum(each is not None for each in (secret, key, workload)) > 1:
            raise wrong_option("secret", "the only one of secret, key and workload")
        auth = None if key is None else CallerKey(key)
        server = Server(
            url,
            retry=retry,
            timeout_seconds=timeout_seconds,
            transport=transport,
            clock=clock,
            auth=auth,
        )
        if workload is not None:
            held = exchanged(server, workload)
        else:
            held = HeldSecret(None) if auth else _held("secret", secret)
        self._begin(server, held)

    def _begin(
        self, server: Server, held: HeldSecret, *, home: Optional[Scope] = None, owns: bool = True
    ) -> None:
        self._server = server
        self._owns_server = owns
        self._home = home
        self._calls = Calls(server, held)
        self._tokens = SubjectTokens(self._calls)
        #: The tokens of a login; ``None`` for a client that was given its secret.
        self.tokens: Optional[AuthLoginResponse] = None
        #: Records of the scopes that are granted to the principal.
        self.memory = AsyncScopedMemory(self._calls, home)
        #: Branches of memory.
        self.branches = AsyncBranches(self._calls)
        #: Changes of memory that wait for review.
        self.proposals = AsyncProposals(self._calls)
        #: How long the records of its tenant are kept, for administrators.
        self.retention = AsyncRetention(self._calls)
        #: Exports of memory as lines of JSON, and their import.
        self.exports = AsyncExports(self._calls)
        #: Procedures of those scopes, and the policies and contexts that they are judged by.
        self.learning = AsyncLearning(self._calls)
        #: Tools of its scopes, and how they come about.
        self.tools = AsyncTools(self._calls)
        #: Attempts in its scopes, and what was observed of them.
        self.experiences = AsyncExperiences(self._calls)
        #: Credentials of its tenant, for administrators.
        self.credentials = AsyncCredentials(self._calls)
        self.access = AsyncAccess(self._calls)
        self.erasures = AsyncErasures(self._calls)
        #: What happened in its tenant, for administrators.
        self.audit = AsyncAudit(self._calls)
        #: Its login, where it is a person, and the ends of logins.
        self.session = AsyncSession(self._calls)
        #: Invitations of people, for administrators.
        self.people = AsyncPeople(self._calls)
        self.connections = AsyncConnections(self._calls)
        #: How people sign in by issuers, for administrators, and sign-ins of people.
        self.sign_in = AsyncSignIn(self._calls)

    @classmethod
    async def log_in(
        cls,
        url: Union[str, Sequence[str]],
        *,
        username: str,
        password: str,
        tenant_id: Optional[str] = None,
        retry: Union[Retry, bool] = True,
        timeout_seconds: float = 60.0,
        transport: Optional[HttpTransport] = None,
        clock: Optional[Clock] = None,
    ) -> AsyncAgentkeep:
        """Logs a person in and returns the client of the account.

        It renews the access token shortly before it ends, for as long as the session lasts. Without
        ``tenant_id`` the account is one of the installation. Raises ``invalid_login`` for a wrong
        name, password or tenant, and ``account_locked`` after too many failures.
        """
        server = Server(
            url, retry=retry, timeout_seconds=timeout_seconds, transport=transport, clock=clock
        )
        person = given({"username": username, "password": password, "tenant_id": tenant_id})
        try:
            tokens = await server.call(None, "authLogin", document=person)
        except BaseException:
            await server.aclose()
            raise

        async def renew() -> Dict[str, Any]:
            document = {"refresh_token": tokens["refresh_token"]}
            return await server.call(None, "authRefresh", document=document)

        client = cls.__new__(cls)
        lifetime = tokens["expires_in"]
        client._begin(server, HeldSecret(tokens["access_token"], renew=renew, expires_in=lifetime))
        client.tokens = cast(AuthLoginResponse, tokens)
        return client

    @classmethod
    async def agent_for(
        cls,
        url: Union[str, Sequence[str]],
        secret: str,
        *,
        subject: str,
        secret_file: Path,
        agent: Optional[str] = None,
        scopes: Optional[Sequence[Scope]] = None,
        replace: bool = False,
        capabilities: Sequence[Capability] = ("memory_read", "memory_write"),
        renew: bool = False,
        retry: Union[Retry, bool] = True,
        timeout_seconds: float = 60.0,
        transport: Optional[HttpTransport] = None,
        clock: Optional[Clock] = None,
    ) -> AsyncAgentkeep:
        """Returns the client of a subject, for a program that has an administrator's secret.

        The first call issues a credential. A server shows its secret once, so this call keeps it in
        ``secret_file``, with mode 0600; later calls, also of other processes with that file, find
        the same credential. Each subject needs a file of its own. Where there is no such file,
        another credential of the subject is issued, which has the same memory.

        ``scopes`` are added to those of the subject, or take their place with ``replace``; without
        them it is the private scope of the subject, where ``agent`` is by default ``default``. The
        memory of the client is in the first one. With ``renew`` a new credential is issued where the
        secret is no longer valid, else ``credential_revoked``, or has other ``capabilities``, else
        ``capabilities_differ``.
        """
        places = wanted_scopes(agent, scopes)
        wanted = WantedSubject(subject, secret_file, places, replace, capabilities, renew)
        server = Server(
            url, retry=retry, timeout_seconds=timeout_seconds, transport=transport, clock=clock
        )
        try:
            admin = AsyncCredentials(Calls(server, _held("secret", secret)))
            kept = await subject_secret(admin, server, wanted)
            held = _held("secret_file", kept)
        except BaseException:
            await server.aclose()
            raise
        client = cls.__new__(cls)
        client._begin(server, held, home=places[0] if places else None)
        return client

    def for_(self, subject: str) -> AsyncAgentkeep:
        """Returns a client that acts for a subject: its memory and private scopes are the subject's.

        This client is that of a service: its credential has the capability ``act_for`` and selects
        the subject, else the first call is ``forbidden``. Cheap to call for each request: tokens
        are kept and renewed before they end. The connections stay those of this client.
        """
        client = AsyncAgentkeep.__new__(AsyncAgentkeep)
        client._begin(self._server, self._tokens.of(subject), home=self._home, owns=False)
        return client

    async def health(self) -> Health:
        """Says whether the server is alive, and which version it serves."""
        return cast(Health, await self._server.call(None, "getHealth"))

    async def who_am_i(self) -> Credential:
        """Returns the credential that the client acts with."""
        answer = await self._calls.call("whoAmI")
        return cast(Credential, answer["credential"])

    async def evaluate(
        self,
        scope: Scope,
        procedure_id: str,
        cases: Iterable[Dict[str, Any]],
        run: RunCase,
        *,
        accounting_unit: str = "unit",
    ) -> EvaluationProgress:
        """Runs baseline and candidate over cases until the procedure is decided about.

        ``run`` gets a case, which has an ``id``, and what to run it with. It returns ``utility``,
        0 to 1, and where they are known ``cost_units``, ``latency_ms`` and ``evidence``, the path
        of a transcript for instance. Every run is recorded as an attempt whose id follows from
        procedure, case and variant. So the same call goes on where an earlier one ended, also one
        in TypeScript: no case counts twice, and no run with a result is repeated. An error of
        ``run`` ends the evaluation. The agent is the evaluator of the policy. It needs
        ``memory_read``, ``procedure_evaluate``, ``experience_read``, ``experience_write`` and
        ``experience_report``.
        """
        reporter = (await self.who_am_i())["spec"]["subject_id"]
        evaluation = AsyncEvaluation(
            self.learning, self.experiences, scope, reporter, accounting_unit, run
        )
        return await evaluation.over(procedure_id, cases)

    async def call(
        self,
        name: str,
        *,
        id: Optional[str] = None,
        parameters: Optional[Mapping[str, Any]] = None,
        document: Optional[Mapping[str, Any]] = None,
    ) -> Dict[str, Any]:
        """Calls any operation of the contract by its name, such as ``createWebhook``."""
        return await self._calls.call(name, id=id, parameters=parameters, document=document)

    async def aclose(self) -> None:
        """Closes all connections, unless they are those of a service that acts for a subject."""
        if self._owns_server:
            await self._server.aclose()

    async def __aenter__(self) -> AsyncAgentkeep:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.aclose()
