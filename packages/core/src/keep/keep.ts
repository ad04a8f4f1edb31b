/** A keep: one open store with everything that runs on it. */
import { openedSegments } from '../domains/memory/view/view-cache.js';
import type { StoreProbe } from '../kernel/services/store-probe.js';
import type { QueryCache } from '../kernel/ports/memory-scan.js';
import type * as v from 'valibot';
import type { HeldProof, CallerProof, Principal } from '../kernel/access/principal.js';
import type { ScopeInput } from '../kernel/access/scope.js';
import { Administrator } from '../client/administrator.js';
import { Agent } from '../client/agent.js';
import type { CallOperation, CallOptions } from '../client/call.js';
import type { Embeddings } from '../client/embeddings.js';
import {
  type InstallationLogin,
  type LoggedIn,
  type LoggedInAdministrator,
  type OpenedAdministratorSession,
  type OpenedSession,
  personOf,
  platformLogin,
} from '../client/logged-in.js';
import { loginDocument, type LoginInput, type RefreshedToken } from '../client/session-client.js';
import { sha256Stream } from '../contract/digest.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { wrongMembers } from '../contract/errors/arguments.js';
import { looksLikeApiKey } from '../domains/people/api-key/api-key-start.js';
import { Grants } from '../domains/people/connection/grants.js';
import { holdDelegation } from '../domains/tenancy/delegation/hold-delegation.js';
import { operations } from '../domains.js';
import type { RateLimiter } from '../kernel/rate-limit/rate-limiter.js';
import { embeddedInput, type InputSource } from '../kernel/input/input.js';
import type { Call } from '../kernel/operation/call.js';
import type { HeavyWork } from '../kernel/load/heavy-work.js';
import { countRequest, identify, invoke } from '../kernel/invoke/invoke.js';
import { noteRefusal } from '../kernel/invoke/note-refusal.js';
import type { Operation } from '../kernel/operation/operation.js';
import type { LevelKeeper } from '../kernel/installation/level-keeper.js';
import type { Runtime } from '../kernel/services/runtime.js';
import type { Backlog, BacklogCounter } from '../upkeep/backlog/backlog.js';
import type { ReplicationStatus } from '../upkeep/replication/shipper.js';
import type { WaitingWork } from '../kernel/services/waiting-work.js';

/** Repeated work of an open keep. */
interface Sweeper {
  /** Stops the repetition and waits for the current run. */
  stop(): Promise<void>;
}

/** Parts of a keep beside its services. */
export interface KeepParts {
  readonly sweepers: readonly Sweeper[];
  /** Tells supervisors whether the store answers. */
  readonly probe: Pick<StoreProbe, 'isUsable'>;
  /** The level of the store, and the servers that have it open. */
  readonly level?: LevelKeeper;
  /** Counts what waits in the store. */
  readonly backlog: Pick<BacklogCounter, 'latest'>;
  /** Counts the work in the queues. */
  readonly waiting: () => Promise<WaitingWork>;
  /** What stores the rest of its memory before the store is closed, in this order. */
  readonly closing: readonly { close(): Promise<void> }[];
  /** Where replication is; `undefined` if nothing is copied. */
  readonly replication?: () => ReplicationStatus | undefined;
  /** Makes the embeddings of its agents. */
  readonly embeddings?: Embeddings | undefined;
}

let portsOf: (keep: Keep) => Runtime;
let agentOf: (keep: Keep, held: HeldProof, home?: ScopeInput) => Agent;
let keeperOf: (keep: Keep) => LevelKeeper;

/** Returns the ports of a keep. They bypass every check, so never expose them to others. */
export function runtimeOf(keep: Keep): Runtime {
  if (!((keep as unknown) instanceof Keep))
    throw wrongMembers('This call', [
      { path: 'keep', expected: 'what openKeep() returned, as the first argument' },
    ]);
  return portsOf(keep);
}

/** Returns what keeps the level of the store of a keep. */
export function levelKeeperOf(keep: Keep): LevelKeeper {
  runtimeOf(keep);
  return keeperOf(keep);
}

/** Returns the agent of a proof that is known to be valid, and the scope that it remembers in. */
export function agentHolding(keep: Keep, held: HeldProof, home?: ScopeInput): Agent {
  return agentOf(keep, held, home);
}

/** An open keep. `await using` closes it. */
export class Keep implements AsyncDisposable {
  readonly #runtime: Runtime;
  readonly #parts: KeepParts;
  #isClosing = false;

  /** Use `openKeep()`. */
  constructor(runtime: Runtime, parts: KeepParts) {
    this.#runtime = runtime;
    this.#parts = parts;
  }

  static {
    portsOf = (keep) => keep.#runtime;
    keeperOf = (keep) => defined(keep.#parts.level);
    agentOf = (keep, held, home) => keep.#agent(keep.#callAs(held), home);
  }

  /**
   * Proves a secret (of a credential, a session or an API key) and returns its agent. The agent
   * does not hold the secret.
   * @throws {AgentkeepError} `unauthorized` if the secret is unknown, revoked or expired;
   * `invalid_request` if there is none.
   */
  async authenticate(secret: string): Promise<Agent> {
    return this.#agent(await this.#prove('keep.authenticate()', secret));
  }

  /**
   * Proves a secret of the installation and returns its administrator, who does not hold the
   * secret. It is the secret of the master, of a delegate, or the token or API key of an account
   * of the installation.
   * @throws {AgentkeepError} `unauthorized` if the secret is unknown, revoked or expired,
   * `forbidden` if it belongs to a tenant.
   * @example
   * ```ts
   * import { openKeep, inMemoryStore } from '@agentkeep/core';
   * import { bootstrapMaster } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const { secret } = await bootstrapMaster(keep, 'root');
   * const master = await keep.administer(secret);
   * const { tenant } = await master.tenants.register({ tenantId: 'acme', subjectId: 'ops' });
   * if (tenant.tenant_id !== 'acme') throw new Error('unexpected');
   * ```
   */
  async administer(secret: string): Promise<Administrator> {
    const { authority, held } = await identify(this.#runtime, proofOf('keep.administer()', secret));
    if (authority.kind !== 'global') throw new AgentkeepError('forbidden');
    return new Administrator(this.#callAs(held));
  }

  /**
   * Logs a person in for as long as the tokens are renewed, one day at most, and returns the
   * clients of the account. An account of the installation, one without `tenantId`, gets an
   * administrator beside its agent. Neither holds the tokens.
   * @throws {AgentkeepError} `invalid_login` for a wrong name, password or tenant; `account_locked`
   * after too many failures; `login_busy`.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   * import { createAdmin } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * await createAdmin(keep, { username: 'root', password: 'Correct-Horse-7' });
   * const login = { username: 'root', password: 'Correct-Horse-7' };
   * const { administrator, tokens } = await keep.logIn(login);
   * await administrator.session.refresh();
   * await administrator.session.logOut();
   * console.log(tokens.expires_in);
   * ```
   */
  logIn(login: InstallationLogin, options?: CallOptions): Promise<LoggedInAdministrator>;
  /** Logs in a person of any authority. */
  logIn(login: LoginInput, options?: CallOptions): Promise<LoggedIn>;
  /** Logs a person in. */
  async logIn(login: LoginInput, { signal }: CallOptions = {}): Promise<LoggedIn> {
    const source = embeddedInput({ document: loginDocument(login) });
    const tokens = await this.invoke(operations.authLogin, source, { signal });
    return { ...(await this.#person(tokens.access_token, login)), tokens };
  }

  /**
   * Logs a person in to the platform for fifteen minutes at most, and returns the clients of the
   * account as {@link logIn} does. Give `session.token` to another program to let it act in the
   * same session.
   * @throws {AgentkeepError} `invalid_login` for a wrong name, password or tenant; `account_locked`
   * after too many failures; `login_busy`.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   * import { bootstrapTenant } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const tenant = { tenantId: 'acme', subjectId: 'ops' };
   * const { secret, credential } = await bootstrapTenant(keep, tenant);
   * const admin = await keep.authenticate(secret);
   * const ann = { username: 'ann', password: 'Correct-Horse-7' };
   * await admin.loginAccounts.create({ ...ann, credentialId: credential.id });
   * const { agent, session } = await keep.openSession({ ...ann, tenantId: 'acme' });
   * console.log((await agent.whoAmI()).tenant_id, session.expires_at_millis);
   * await agent.session.logOut();
   * ```
   */
  openSession(login: InstallationLogin, options?: CallOptions): Promise<OpenedAdministratorSession>;
  /** Logs in a person of any authority. */
  openSession(login: LoginInput, options?: CallOptions): Promise<OpenedSession>;
  /** Logs a person in to the platform. */
  async openSession(login: LoginInput, options?: CallOptions): Promise<OpenedSession> {
    const call: CallOperation = (name, parts, { signal } = {}) =>
      this.invoke(operations[name], embeddedInput(parts), { signal });
    const session = await platformLogin(call, login, options);
    return { ...(await this.#person(session.token, login)), session };
  }

  /**
   * Admits a call that reaches no operation, so that it is counted like any other. For transports.
   * @throws {AgentkeepError} what `call.countRequest` throws.
   */
  countRequest(call: Call): Promise<void> {
    return countRequest(this.#runtime, call);
  }

  /**
   * Records a refusal that a transport decided by itself and answers with. One that comes from an
   * operation has its event already. For transports.
   */
  noteRefusal(error: AgentkeepError, call: Call, principal: Principal | undefined): void {
    noteRefusal(this.#runtime, error, call, principal);
  }

  /**
   * Runs an operation. For transports; programs use the clients.
   * @throws {AgentkeepError} as the operation states.
   */
  invoke<O extends Operation>(
    operation: O,
    source: InputSource,
    call: Call,
  ): Promise<v.InferOutput<O['output']>> {
    const renewal = this.#parts.level?.renewal();
    if (renewal === undefined) return invoke(this.#runtime, operation, source, call);
    return renewal.then(() => invoke(this.#runtime, operation, source, call));
  }

  /** The counters of requests under the stored rate limits. For transports. */
  get rateLimiter(): RateLimiter {
    return this.#runtime.rateLimiter;
  }

  /** The turns of long work, and what clients have not read. For transports. */
  get heavyWork(): Pick<HeavyWork, 'turn' | 'unread'> {
    return this.#runtime.heavyWork;
  }

  /** What the query cache takes; absent without one. For transports. */
  get queryCache(): QueryCache | undefined {
    return openedSegments.of(this.#runtime).queryCache;
  }

  /** Whether it closes or is closed. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** What an authorization server stores, and its access tokens. For transports. */
  get grants(): Grants {
    return new Grants(this.#runtime);
  }

  /**
   * Returns the lengths of the queues inside this process, for gauges. It reads neither disk nor
   * network, and works while the keep closes and afterwards.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const { transactions, passwords } = await keep.waiting();
   * if (transactions + passwords !== 0) throw new Error('unexpected');
   * ```
   */
  waiting(): Promise<WaitingWork> {
    return this.#parts.waiting();
  }

  /**
   * Returns how far the target of `replicateTo` is behind, from memory; `undefined` if nothing is
   * copied.
   * @example
   * ```ts
   * import { mkdtemp } from 'node:fs/promises';
   * import { tmpdir } from 'node:os';
   * import { join } from 'node:path';
   * import { openKeep } from '@agentkeep/core';
   *
   * const home = await mkdtemp(join(tmpdir(), 'keep-'));
   * const options = { dataDir: join(home, 'data'), replicateTo: join(home, 'copy') };
   * await using keep = await openKeep(options);
   * const { state, lagMs } = keep.replication() ?? {};
   * if (state === 'away') console.log(`The copy is ${lagMs} ms behind.`);
   * ```
   */
  replication(): ReplicationStatus | undefined {
    return this.#parts.replication?.();
  }

  /**
   * Returns the last count of what waits for people and other programs, over all tenants, and
   * `undefined` before the first one. A call a minute after a count began begins the next one.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const { proposals = 0 } = keep.backlog() ?? {};
   * if (proposals > 0) console.log(`${proposals} proposals wait for a review.`);
   * ```
   */
  backlog(): Backlog | undefined {
    return this.#parts.backlog.latest;
  }

  /**
   * Returns whether the keep can serve: its store answers a read within two seconds. Asks the store
   * once a second at most, so it may be called for each probe of a supervisor. Never rejects; after
   * `close` it is `false`.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * if (!(await keep.isReady())) throw new Error('unexpected');
   * ```
   */
  async isReady(): Promise<boolean> {
    const { level, probe } = this.#parts;
    return !this.#isClosing && level?.isRefused !== true && (await probe.isUsable());
  }

  #agent(call: CallOperation, home?: ScopeInput): Agent {
    return new Agent(call, this.#runtime.newId, this.#parts.embeddings, home);
  }

  async #person(token: string, login: LoginInput): Promise<ReturnType<typeof personOf>> {
    const call = await this.#prove('keep.logIn()', token);
    return personOf(call, this.#runtime.newId, login, this.#parts.embeddings);
  }

  async #prove(call: string, secret: string): Promise<CallOperation> {
    const { held } = await identify(this.#runtime, proofOf(call, secret));
    return this.#callAs(held);
  }

  /** Makes calls with a proof, and with the renewed token once the session was renewed. */
  #callAs(proved: HeldProof): CallOperation {
    let proof = proved;
    const call: CallOperation = async (name, parts, { signal } = {}) => {
      signal?.throwIfAborted();
      const output = await this.invoke(operations[name], embeddedInput(parts), { proof, signal });
      if (name === 'authRefresh') {
        const { access_token: token } = output as RefreshedToken;
        ({ held: proof } = await identify(this.#runtime, { kind: 'bearer', token }));
      }
      return output;
    };
    const actingFor = (subjectId: string) => this.#callFor(() => proof, subjectId);
    return Object.assign(call, { actingFor, newSha256: sha256Stream });
  }

  /** Makes calls in which a service acts for a subject, which the first call checks. */
  #callFor(service: () => HeldProof, subjectId: string): CallOperation {
    let calls: CallOperation | undefined;
    return async (name, parts, options) => {
      calls ??= this.#callAs(await holdDelegation(this.#runtime, service(), subjectId));
      return calls(name, parts, options);
    };
  }

  /** Waits for accepted work, stores what is still in memory, and closes the store. */
  async close(): Promise<void> {
    this.#isClosing = true;
    try {
      await this.#parts.embeddings?.stop();
      for (const sweeper of this.#parts.sweepers) await sweeper.stop();
      for (const each of this.#parts.closing) await each.close();
    } finally {
      await this.#runtime.backend.close();
    }
  }

  /** Closes the keep at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function defined(level: LevelKeeper | undefined): LevelKeeper {
  if (level === undefined) throw new TypeError('This keep was opened without its level.');
  return level;
}

function proofOf(call: string, secret: unknown): CallerProof {
  if (typeof secret !== 'string')
    throw wrongMembers(call, [{ path: 'secret', expected: 'a text' }]);
  return looksLikeApiKey(secret)
    ? { kind: 'api_key', key: secret }
    : { kind: 'bearer', token: secret };
}
