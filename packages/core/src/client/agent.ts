/** An authenticated agent: what a runtime holds instead of a secret. */
import type { ScopeInput } from '../kernel/access/scope.js';
import type { Credential } from '../domains/tenancy/credential/schema.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { requireArguments } from '../contract/errors/arguments.js';
import { AccessClient } from './access-client.js';
import { ApiKeyClient } from './api-key-client.js';
import type { CallOperation, CallOptions, NewKey } from './call.js';
import { AuditClient } from './audit-client.js';
import { CredentialClient } from './credential-client.js';
import type { Embeddings } from './embeddings.js';
import { ExportClient } from './exporting/export-client.js';
import { HomeScope } from './recalling/home-scope.js';
import { IssuerClient } from './issuer-client.js';
import { LearningClient } from './learning-client.js';
import { ConnectionClient } from './connection-client.js';
import { ErasureClient } from './erasure-client.js';
import { ExperienceClient } from './experience-client.js';
import { LockoutClient } from './lockout-client.js';
import { LoginAccountClient } from './login-account-client.js';
import { BranchClient } from './branches/branch-client.js';
import { ProposalClient } from './branches/proposal-client.js';
import { RetentionClient } from './retention-client.js';
import { ScopedMemory } from './scoped-memory.js';
import { SessionClient } from './session-client.js';
import { SubjectClient } from './subject-client.js';
import { SignInClient } from './sign-in-client.js';
import { UserClient } from './user-client.js';
import { ToolClient } from './tool-client.js';
import { WebhookClient } from './webhook-client.js';

/**
 * One principal and what it can do. Every call proves its authority again against durable state, so
 * an agent is refused with `unauthorized` as soon as its credential is rotated, revoked or expired.
 */
export class Agent {
  /** Records of the agent's own scope, and with `memory.in(scope)` of others granted to it. */
  readonly memory: ScopedMemory;
  /** Branches of memory. */
  readonly branches: BranchClient;
  /** Changes of memory that wait for review. */
  readonly proposals: ProposalClient;
  /** How long the records of its tenant are kept, for administrators. */
  readonly retention: RetentionClient;
  /** Exports of memory as lines of JSON, and their import. */
  readonly exports: ExportClient;
  /** Deliveries of changes to addresses, for administrators. */
  readonly webhooks: WebhookClient;
  /** Procedures of those scopes, and the policies and contexts that they are judged by. */
  readonly learning: LearningClient;
  /** Credentials of its tenant, for administrators. */
  readonly credentials: CredentialClient;
  /** What happened in its tenant, for administrators. */
  readonly audit: AuditClient;
  /** Its login, where it is a person, and the ends of logins. */
  readonly session: SessionClient;
  /** Names that failed logins or administrators locked, for administrators. */
  readonly lockouts: LockoutClient;
  /** Its own API keys, for an account that has logged in. */
  readonly keys: ApiKeyClient;
  /** The programs that it connected by OAuth, for an account that has logged in. */
  readonly connections: ConnectionClient;
  /** Accounts that log in with a password, for their administrators and for themselves. */
  readonly users: UserClient;
  /** How people sign in by issuers, for administrators, and sign-ins of people. */
  readonly signIn: SignInClient;
  /** Accounts that act with a credential of its tenant, for administrators. */
  readonly loginAccounts: LoginAccountClient;
  /** Tools of its scopes, and how they come about. */
  readonly tools: ToolClient;
  /** Attempts in its scopes, and what was observed of them. */
  readonly experiences: ExperienceClient;
  /** Subjects that have limits or are blocked, for administrators. */
  readonly subjects: SubjectClient;
  /** Scopes and subjects of its tenant, and who reaches what, for administrators. */
  readonly access: AccessClient;
  /** What its tenant erases for good, for administrators. */
  readonly erasures: ErasureClient;
  /** Issuers whose assertions prove credentials, for administrators. */
  readonly issuers: IssuerClient;
  readonly #call: CallOperation;
  readonly #forSubject: (call: CallOperation) => Agent;

  constructor(call: CallOperation, newKey: NewKey, embeddings?: Embeddings, home?: ScopeInput) {
    this.#call = call;
    this.#forSubject = (each) => new Agent(each, newKey, embeddings, home);
    const server = { embeds: false };
    const parts = { call, newKey, embeddings, server, home: new HomeScope(call, home) };
    this.memory = new ScopedMemory(parts);
    this.branches = new BranchClient(call, newKey);
    this.proposals = new ProposalClient(call, newKey);
    this.retention = new RetentionClient(call);
    this.exports = new ExportClient(call);
    this.webhooks = new WebhookClient(call);
    this.learning = new LearningClient(call);
    this.credentials = new CredentialClient(call);
    this.subjects = new SubjectClient(call);
    this.access = new AccessClient(call);
    this.erasures = new ErasureClient(call);
    this.issuers = new IssuerClient(call);
    this.audit = new AuditClient(call);
    this.session = new SessionClient(call);
    this.lockouts = new LockoutClient(call);
    this.keys = new ApiKeyClient(call);
    this.connections = new ConnectionClient(call);
    this.users = new UserClient(call);
    this.signIn = new SignInClient(call);
    this.loginAccounts = new LoginAccountClient(call, 'tenant');
    this.tools = new ToolClient(call);
    this.experiences = new ExperienceClient(call);
  }

  /** The credential that the agent acts with. */
  async whoAmI(options?: CallOptions): Promise<Credential> {
    const { credential } = await this.#call('whoAmI', {}, options);
    return credential;
  }

  /**
   * Returns an agent that acts for a subject: the memory is the subject's, and private scopes are
   * its own. The agent itself, a service, needs the capability `act_for` and a selector of
   * subjects. Cheap to call for each request: over a network, tokens are kept and renewed before
   * they end. The first call of the returned agent is `forbidden` if the service may not act for
   * the subject.
   * @example
   * ```ts
   * import { openKeep, inMemoryStore } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const support = await agentFor(keep, { subject: 'support', actFor: { mode: 'all' } });
   * await support.for('ann').memory.remember('Ann prefers tea.');
   * console.log((await support.for('bob').memory.recall('tea')).length); // 0
   * ```
   */
  for(subject: string): Agent {
    requireArguments('agent.for()', { subject });
    if (this.#call.actingFor === undefined) throw new AgentkeepError('forbidden');
    return this.#forSubject(this.#call.actingFor(subject));
  }
}
