/**
 * A keep: one open store with everything that runs on it.
 * @module
 */
import type * as v from 'valibot';
import { globalCredentialOf } from './access/authorize-global.js';
import { Administrator } from './administrator/administrator.js';
import { Agent } from './agent/agent.js';
import type { CallOperation, CallOptions } from './agent/call.js';
import { type OpenedSession, platformLogin } from './agent/platform-login.js';
import {
  loginDocument,
  type LoginInput,
  type LoginTokens,
  renewedToken,
} from './agent/session-client.js';
import { type AuditOptions, auditSettings } from './audit/audit-options.js';
import { openAudit } from './audit/open-audit.js';
import { LockoutSweeper } from './lockout/lockout-sweeper.js';
import { looksLikeApiKey } from './api-key/api-key-text.js';
import { authenticator } from './authenticate.js';
import { repairDirectories } from './directory/repair-directories.js';
import { type LmdbStoreOptions, openLmdbStore } from './lmdb-store/open-lmdb-store.js';
import { operations } from './operations.js';
import { argon2Hasher } from './password/argon2-hasher.js';
import type { PasswordHasher } from './password/password-hasher.js';
import type { HeldProof, Proof } from './access/principal.js';
import type { RateLimiter } from './rate-limit/rate-limiter.js';
import { openRateLimiter } from './rate-limit/stored-policies.js';
import { type Clock, systemClock } from './runtime/clock.js';
import { type Entropy, systemEntropy } from './runtime/entropy.js';
import { durableIds } from './runtime/durable-ids.js';
import { embeddedInput, type InputSource } from './runtime/input.js';
import { admit, type Call, identify, invoke } from './runtime/invoke.js';
import type { Operation } from './runtime/operation.js';
import type { Runtime } from './runtime/runtime.js';
import { UseLog } from './runtime/use-log.js';
import { underIdleLimit } from './session/idle-limit.js';
import { idleLimitMs, type SessionOptions } from './session/session-options.js';
import { removeUnfinishedSnapshots } from './snapshot/snapshot-folder.js';
import { Tally } from './stats/tally.js';
import type { Store } from './store/store.js';
import { openTokens } from './token/open-tokens.js';
import { RevocationSweeper } from './token/revocation-sweeper.js';
import { type TokenOptions, tokenSettings } from './token/token-options.js';

/** Ports that a test or a host replaces. */
export interface KeepPorts {
  readonly clock?: Clock;
  readonly entropy?: Entropy;
  /** What is recorded, how long it is kept, and whether files are written too. */
  readonly audit?: AuditOptions;
  /** How passwords are hashed. Default: Argon2id. */
  readonly passwords?: PasswordHasher;
  /** How access tokens are signed, and for how long. */
  readonly tokens?: TokenOptions;
  /** When sessions end. */
  readonly sessions?: SessionOptions;
}

/** Where a keep lives: in a directory of its own, or in a store that the caller opened. */
export type KeepOptions = KeepPorts &
  (
    | ({ readonly dataDir: string; readonly store?: never } & Omit<LmdbStoreOptions, 'directory'>)
    | { readonly store: Store; readonly dataDir?: never }
  );

/** Work that a keep repeats while it is open. */
export interface Sweeper {
  /** Ends the repetition and waits for what is under way. */
  stop(): Promise<void>;
}

/** What a keep has beside its ports. */
export interface KeepSurroundings {
  readonly sweepers?: readonly Sweeper[];
}

/** Somebody who has logged in. */
export interface LoggedIn {
  readonly agent: Agent;
  readonly tokens: LoginTokens;
}

/** An open keep. `await using` closes it. */
export class Keep implements AsyncDisposable {
  readonly #runtime: Runtime;
  readonly #around: KeepSurroundings;

  /** Use {@link openKeep}. */
  constructor(runtime: Runtime, around: KeepSurroundings = {}) {
    this.#runtime = runtime;
    this.#around = around;
  }

  /** The ports of a keep; for the operator entry, which is kept apart on purpose. */
  static runtimeOf(keep: Keep): Runtime {
    return keep.#runtime;
  }

  /**
   * Proves a secret (of a credential, a session or an API key) and gives the agent that it stands
   * for. The agent does not hold the secret.
   * @throws {AgentkeepError} `unauthorized` when the secret is not a live one.
   */
  async authenticate(secret: string): Promise<Agent> {
    const { held } = await identify(this.#runtime, proofOf(secret));
    return new Agent(this.#callAs(held));
  }

  /**
   * Proves a secret of the master or one of its delegates, and gives the administrator that it
   * stands for. The administrator does not hold the secret.
   * @throws {AgentkeepError} `unauthorized` when the secret is not a live one, `forbidden` when it
   * is one of a tenant.
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
    const principal = await identify(this.#runtime, proofOf(secret));
    globalCredentialOf(principal);
    return new Administrator(this.#callAs(principal.held));
  }

  /**
   * Logs a person in, and gives the agent that the account is. The agent holds none of the tokens.
   * @throws {AgentkeepError} `invalid_login` for whatever is wrong; `account_locked` after too many
   * failures; `login_busy`.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   * import { createAdmin } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * await createAdmin(keep, { username: 'root', password: 'Correct-Horse-7' });
   * const login = { username: 'root', password: 'Correct-Horse-7' };
   * const { agent, tokens } = await keep.logIn(login);
   * await agent.session.refresh();
   * await agent.session.logOut();
   * console.log(tokens.expires_in);
   * ```
   */
  async logIn(login: LoginInput, { signal }: CallOptions = {}): Promise<LoggedIn> {
    const source = embeddedInput({ document: loginDocument(login) });
    const tokens = await this.invoke(operations.authLogin, source, { signal });
    return { agent: await this.authenticate(tokens.access_token), tokens };
  }

  /**
   * Logs a person in to the platform for fifteen minutes at most, and gives the agent that the
   * account is. The token is for whatever else is to act in the session.
   * @throws {AgentkeepError} `invalid_login` for whatever is wrong; `account_locked` after too many
   * failures; `login_busy`.
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
  async openSession(login: LoginInput, options?: CallOptions): Promise<OpenedSession> {
    const call: CallOperation = (name, parts, { signal } = {}) =>
      this.invoke(operations[name], embeddedInput(parts), { signal });
    const session = await platformLogin(call, login, options);
    return { agent: await this.authenticate(session.token), session };
  }

  /**
   * Admits a call that reaches no operation, so that it is counted like any other. For transports.
   * @throws {AgentkeepError} what `call.admit` throws.
   */
  admit(call: Call): Promise<void> {
    return admit(this.#runtime, call);
  }

  /**
   * Runs an operation; the way in for transports.
   * @throws {AgentkeepError} as the operation states.
   */
  invoke<O extends Operation>(
    operation: O,
    source: InputSource,
    call: Call,
  ): Promise<v.InferOutput<O['output']>> {
    return invoke(this.#runtime, operation, source, call);
  }

  /** Counts requests under the stored policies. For transports. */
  get rateLimiter(): RateLimiter {
    return this.#runtime.rateLimiter;
  }

  /** Calls as whoever was proved, and goes on with the token that a renewal brings. */
  #callAs(proved: HeldProof): CallOperation {
    let proof = proved;
    return async (name, parts, { signal } = {}) => {
      const output = await this.invoke(operations[name], embeddedInput(parts), { proof, signal });
      const token = renewedToken(name, output);
      if (token !== undefined) {
        ({ held: proof } = await identify(this.#runtime, { kind: 'bearer', token }));
      }
      return output;
    };
  }

  /** Waits for accepted work, stores what waits in memory, then closes the store. */
  async close(): Promise<void> {
    try {
      for (const sweeper of this.#around.sweepers ?? []) await sweeper.stop();
      await this.#runtime.uses.close();
      await this.#runtime.audit.close();
      await this.#runtime.settleIds();
      await this.#runtime.tally.close();
    } finally {
      await this.#runtime.store.close();
    }
  }

  /** Closes the keep at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Opens a keep. A directory that does not exist is made; a store that is given is closed with it.
 * @throws {AgentkeepError} `store_in_use` when the directory is open elsewhere, `store_incompatible`
 * when it holds something else, `storage_inconsistency` when its list of revoked tokens or a rate
 * limit does not verify.
 * @throws {TypeError} when something in `audit`, `tokens` or `sessions` is out of range, or a key
 * cannot be used.
 */
export async function openKeep(options: KeepOptions): Promise<Keep> {
  const settings = settingsOf(options);
  const opened = options.store ?? (await openDirectory(options));
  try {
    return await keepOver(opened, options, settings);
  } catch (error) {
    // A store that was given is still its opener's, and the first failure is the one to tell.
    if (options.store === undefined) await opened.close().catch(() => undefined);
    throw error;
  }
}

/** What can be refused before anything is opened. */
function settingsOf({ audit = {}, tokens = {}, sessions = {} }: KeepPorts) {
  return {
    audit: auditSettings(audit),
    tokens: tokenSettings(tokens),
    idleMs: idleLimitMs(sessions),
  };
}

async function keepOver(
  found: Store,
  options: KeepOptions,
  settings: ReturnType<typeof settingsOf>,
): Promise<Keep> {
  const clock = options.clock ?? systemClock;
  const entropy = options.entropy ?? systemEntropy;
  const tally = await Tally.open({ store: found, clock });
  const opened = tally.followed();
  await repairDirectories(opened);
  const ids = await durableIds(opened, clock, entropy);
  const rateLimiter = await openRateLimiter({ store: opened, clock, newId: ids.newId });
  const uses = new UseLog(opened);
  const revocations = new RevocationSweeper({ store: opened, clock });
  // All of it is read before anything else, for nobody is proved against a list with a hole in it.
  await revocations.start();
  const { idleMs } = settings;
  const runtime: Runtime = {
    ...openAudit(opened, clock, settings.audit),
    tally,
    dataDir: options.dataDir,
    clock,
    entropy,
    ...ids,
    authenticate: underIdleLimit(authenticator(uses), { store: opened, uses, idleMs }),
    passwords: options.passwords ?? argon2Hasher(),
    tokens: openTokens(opened, clock, settings.tokens),
    uses,
    rateLimiter,
  };
  const lockouts = new LockoutSweeper(runtime);
  lockouts.start();
  return new Keep(runtime, { sweepers: [revocations, lockouts] });
}

function proofOf(secret: string): Proof {
  return looksLikeApiKey(secret)
    ? { kind: 'api_key', key: secret }
    : { kind: 'bearer', token: secret };
}

async function openDirectory(options: Exclude<KeepOptions, { store: Store }>): Promise<Store> {
  const { dataDir, durability, mapSizeBytes, reserveBytes, onFatal } = options;
  const store = await openLmdbStore({
    directory: dataDir,
    ...(durability === undefined ? {} : { durability }),
    ...(mapSizeBytes === undefined ? {} : { mapSizeBytes }),
    ...(reserveBytes === undefined ? {} : { reserveBytes }),
    ...(onFatal === undefined ? {} : { onFatal }),
  });
  await removeUnfinishedSnapshots(dataDir);
  return store;
}
