/**
 * A keep: one open store with everything that runs on it.
 * @module
 */
import type * as v from 'valibot';
import { Agent } from './agent/agent.js';
import type { CallOperation } from './agent/call.js';
import type { Principal, Proof } from './access/principal.js';
import { authenticateCredential } from './credential/authenticate-credential.js';
import { AgentkeepError } from './errors/agentkeep-error.js';
import { type LmdbStoreOptions, openLmdbStore } from './lmdb-store/open-lmdb-store.js';
import { operations } from './operations.js';
import { type AuditHook, noAudit } from './runtime/audit.js';
import { type Clock, systemClock } from './runtime/clock.js';
import { type Entropy, systemEntropy } from './runtime/entropy.js';
import { uuidV7Generator } from './runtime/ids.js';
import { embeddedInput, type InputSource } from './runtime/input.js';
import { type Call, invoke } from './runtime/invoke.js';
import type { Operation } from './runtime/operation.js';
import type { Runtime } from './runtime/runtime.js';
import { removeUnfinishedSnapshots } from './snapshot/snapshot-folder.js';
import type { Store } from './store/store.js';

/** Ports that a test or a host replaces. */
export interface KeepPorts {
  readonly clock?: Clock;
  readonly entropy?: Entropy;
  readonly audit?: AuditHook;
}

/** Where a keep lives: in a directory of its own, or in a store that the caller opened. */
export type KeepOptions = KeepPorts &
  (
    | ({ readonly dataDir: string; readonly store?: never } & Omit<LmdbStoreOptions, 'directory'>)
    | { readonly store: Store; readonly dataDir?: never }
  );

/** An open keep. `await using` closes it. */
export class Keep implements AsyncDisposable {
  readonly #runtime: Runtime;
  readonly #dataDir: string | undefined;

  /** Use {@link openKeep}. */
  constructor(runtime: Runtime, dataDir?: string) {
    this.#runtime = runtime;
    this.#dataDir = dataDir;
  }

  /** The ports of a keep; for the operator entry, which is kept apart on purpose. */
  static runtimeOf(keep: Keep): Runtime {
    return keep.#runtime;
  }

  /** The directory that a keep lives in, if it has one of its own. */
  static dataDirOf(keep: Keep): string | undefined {
    return keep.#dataDir;
  }

  /**
   * Proves a secret and gives the agent that it stands for. The agent does not hold the secret.
   * @throws {AgentkeepError} `unauthorized` when the secret is not that of a live credential.
   */
  async authenticate(secret: string): Promise<Agent> {
    const principal = await this.identify({ kind: 'bearer', token: secret });
    if (principal === undefined) throw new AgentkeepError('unauthorized');
    const call: CallOperation = (name, parts, options) =>
      this.invoke(operations[name], embeddedInput(parts), {
        proof: principal.held,
        signal: options?.signal,
      });
    return new Agent(call);
  }

  /** Who a proof stands for at this moment; `undefined` when it is not valid. For transports. */
  identify(proof: Proof): Promise<Principal | undefined> {
    const { store, clock, authenticate } = this.#runtime;
    const nowMs = clock.now();
    return store.read((tx) => authenticate(tx, proof, nowMs));
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

  /** Waits for accepted work, then closes the store. */
  close(): Promise<void> {
    return this.#runtime.store.close();
  }

  /** Closes the keep at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Opens a keep. A directory that does not exist is made; a store that is given is closed with it.
 * @throws {AgentkeepError} `store_in_use` when the directory is open elsewhere, `store_incompatible`
 * when it holds something else.
 */
export async function openKeep(options: KeepOptions): Promise<Keep> {
  const clock = options.clock ?? systemClock;
  const entropy = options.entropy ?? systemEntropy;
  const store = options.store ?? (await openDirectory(options));
  const runtime = {
    store,
    clock,
    entropy,
    newId: uuidV7Generator(clock, entropy),
    authenticate: authenticateCredential,
    audit: options.audit ?? noAudit,
  };
  return new Keep(runtime, options.dataDir);
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
