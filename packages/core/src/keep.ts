/**
 * A keep: one open store with everything that runs on it.
 */
import type * as v from 'valibot';
import { globalCredentialOf } from './access/authorize-global.js';
import type { HeldProof, Proof } from './access/principal.js';
import { Administrator } from './clients/administrator.js';
import { Agent } from './clients/agent.js';
import type { CallOperation, CallOptions } from './clients/call.js';
import { type OpenedSession, platformLogin } from './clients/platform-login.js';
import {
  loginDocument,
  type LoginInput,
  type LoginTokens,
  renewedToken,
} from './clients/session-client.js';
import { looksLikeApiKey } from './people/api-key/api-key-text.js';
import { operations } from './operations.js';
import type { RateLimiter } from './runtime/admission/rate-limiter.js';
import { embeddedInput, type InputSource } from './runtime/input.js';
import type { Call } from './runtime/call.js';
import { admit, identify, invoke } from './runtime/invoke.js';
import type { Operation } from './runtime/operation.js';
import type { Runtime } from './runtime/runtime.js';
import { waitingWork, type WaitingWork } from './runtime/waiting-work.js';

/** Work that a keep repeats while it is open. */
export interface Sweeper {
  /** Ends the repetition and waits for what is under way. */
  stop(): Promise<void>;
}

/** What a keep has beside its ports. */
export interface KeepParts {
  readonly sweepers?: readonly Sweeper[];
}

/** Somebody who has logged in. */
export interface LoggedIn {
  readonly agent: Agent;
  readonly tokens: LoginTokens;
}

let portsOf: (keep: Keep) => Runtime;

/** Returns the ports of a keep. They bypass every check, so nothing that serves others gets them. */
export function runtimeOf(keep: Keep): Runtime {
  return portsOf(keep);
}

/** An open keep. `await using` closes it. */
export class Keep implements AsyncDisposable {
  readonly #runtime: Runtime;
  readonly #parts: KeepParts;

  /** Use `openKeep()`. */
  constructor(runtime: Runtime, parts: KeepParts = {}) {
    this.#runtime = runtime;
    this.#parts = parts;
  }

  static {
    portsOf = (keep) => keep.#runtime;
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

  /**
   * How much waits inside this process right now, for gauges. It asks neither disk nor network, and
   * answers also while the keep is closed and afterwards.
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
    return waitingWork(this.#runtime);
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
      for (const sweeper of this.#parts.sweepers ?? []) await sweeper.stop();
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

function proofOf(secret: string): Proof {
  return looksLikeApiKey(secret)
    ? { kind: 'api_key', key: secret }
    : { kind: 'bearer', token: secret };
}
