/** Keeps a second data directory up to date from a replication target, until it is closed. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { type AgentkeepError, hasCode } from '../../contract/errors/agentkeep-error.js';
import { requireArguments, wrongMembers } from '../../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { type Clock, systemClock } from '../../kernel/ports/clock.js';
import { assertLocalFileSystem, ensureDirectory } from '../../storage/lmdb-store/directory.js';
import { fileFailure } from '../../storage/lmdb-store/failure.js';
import { holdDirectory } from '../../storage/lmdb-store/open-directories.js';
import type { OnProgress } from '../snapshot/progress.js';
import { openReplicaTarget } from './targets/open-replica-target.js';
import type { ReplicaTarget } from './targets/replica-target.js';
import { StandbyCopy } from './standby-copy.js';

const POLL_MS = 1_000;
const POLL_MS_MIN = 100;
const POLL_MS_MAX = 3_600_000;

/** Wait after a failure in milliseconds, which doubles up to the longest one. */
const RETRY_MS = 500;
const RETRY_MAX_MS = 30_000;

/** Failures that pass: the target is away, or gets a whole copy soon. */
const PASSING = new Set<string>(['replica_unavailable', 'replica_moment_unknown']);

/** Which directory follows which target. */
export interface FollowOptions {
  /** Address of the target: a folder, or `s3://bucket/prefix`. */
  readonly target: string;
  /** A directory that is empty or absent, followed the target before, or has a state of it. */
  readonly dataDir: string;
  /** Milliseconds from one look at the target to the next, 100 to 3,600,000. Default: 1,000. */
  readonly pollMs?: number | undefined;
  /** Progress of a whole copy. */
  readonly onProgress?: OnProgress | undefined;
  /** Called after each look at the target that changed anything. Must not throw. */
  readonly onChange?: ((status: FollowerStatus) => void) | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
}

/** How far a follower has come. */
export interface FollowerStatus {
  readonly contract_version: typeof CONTRACT_VERSION;
  /**
   * `away`: the target does not answer; `waiting`: the target has no whole copy yet, of the
   * generation that it begins or at all; `ended`: the follower is closed, or has failed for good.
   */
  readonly status: 'following' | 'away' | 'waiting' | 'ended';
  readonly data_directory: string;
  readonly generation: number;
  /** Number of the last commit that the directory has. */
  readonly position: number;
  /** Time of that commit; null before the first one. */
  readonly committed_at: string | null;
  /** Milliseconds since the directory had all that the target had. */
  readonly lag_millis: number;
}

/**
 * Brings a data directory to the newest state of a replication target, and keeps it there until the
 * follower is closed. No keep can open the directory meanwhile, nor afterwards, until
 * {@link promoteReplica} lets it take the target over. A target that has no whole copy yet is
 * waited for: the status is `waiting` until then.
 * @throws {AgentkeepError} `replica_damaged`, `replica_missing`, `replica_doubled`,
 * `replica_foreign` or `replica_epoch` for a part of it that does not verify;
 * `replica_unavailable`; `replica_unsuitable`; `directory_not_empty`; `store_incompatible` if the
 * target lacks the last commit of the directory, or a later version wrote it; `store_in_use`;
 * `invalid_request`.
 * @example
 * ```ts
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { setTimeout } from 'node:timers/promises';
 * import { openKeep } from '@agentkeep/core';
 * import { followReplica } from '@agentkeep/core/operator';
 *
 * const home = await mkdtemp(join(tmpdir(), 'agentkeep-'));
 * const target = join(home, 'replica');
 * const replicateTo = { target, mode: 'acknowledged' } as const;
 * await using keep = await openKeep({ dataDir: join(home, 'data'), replicateTo });
 * await using follower = await followReplica({ target, dataDir: join(home, 'standby') });
 * // A follower begins with the whole copy, which the keep makes first.
 * while (follower.status.status === 'waiting') await setTimeout(100);
 * console.log(follower.status.position);
 * ```
 */
export async function followReplica(options: FollowOptions): Promise<Follower> {
  requireArguments('followReplica()', { options });
  const { pollMs = POLL_MS } = options;
  if (!Number.isSafeInteger(pollMs) || pollMs < POLL_MS_MIN || pollMs > POLL_MS_MAX) {
    const expected = `an integer from ${POLL_MS_MIN} to ${POLL_MS_MAX}`;
    throw wrongMembers('followReplica()', [{ path: 'pollMs', expected }]);
  }
  const target = await openReplicaTarget(options.target);
  let release: (() => void) | undefined;
  let copy: StandbyCopy | undefined;
  try {
    await ensureDirectory(options.dataDir);
    const directory = await realpath(options.dataDir);
    await assertLocalFileSystem(directory);
    release = await holdDirectory(directory);
    copy = await StandbyCopy.open(target, directory, options.onProgress);
    const hasCopy = await hasCaughtUp(copy);
    return new Follower({ ...options, pollMs }, { target, copy, release }, hasCopy);
  } catch (error) {
    await copy?.close().catch(() => undefined);
    release?.();
    await target.close().catch(() => undefined);
    throw fileFailure(error);
  }
}

/** Brings a directory to the end of the log. Returns whether there is a copy to begin with. */
async function hasCaughtUp(copy: StandbyCopy): Promise<boolean> {
  try {
    await copy.catchUp(() => undefined);
    return true;
  } catch (error) {
    if (!hasCode(error, 'replica_moment_unknown')) throw error;
    return false;
  }
}

interface FollowerParts {
  readonly target: ReplicaTarget;
  readonly copy: StandbyCopy;
  readonly release: () => void;
}

/** A data directory that follows. */
export class Follower implements AsyncDisposable {
  readonly #options: FollowOptions & { readonly pollMs: number };
  readonly #parts: FollowerParts;
  readonly #clock: Clock;
  readonly #ended: Promise<void>;
  #end: (error?: AgentkeepError) => void = () => undefined;
  #reachedMs: number;
  #state: FollowerStatus['status'] = 'following';
  #failures = 0;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  /**
   * Call {@link followReplica}.
   *
   * @internal
   */
  constructor(
    options: FollowOptions & { readonly pollMs: number },
    parts: FollowerParts,
    hasCopy: boolean,
  ) {
    if (!hasCopy) this.#state = 'waiting';
    this.#options = options;
    this.#parts = parts;
    this.#clock = options.clock ?? systemClock;
    this.#reachedMs = this.#clock.monotonic();
    this.#ended = new Promise((resolvePromise, reject) => {
      this.#end = (error) => {
        if (error === undefined) resolvePromise();
        else reject(error);
      };
    });
    this.#ended.catch(() => undefined);
    this.#schedule(options.pollMs);
  }

  /** How far it has come. */
  get status(): FollowerStatus {
    const { at } = this.#parts.copy;
    const { position, timeMs } = at?.last ?? { position: 0, timeMs: 0 };
    return {
      contract_version: CONTRACT_VERSION,
      status: this.#state,
      data_directory: resolve(this.#options.dataDir),
      generation: at?.generation ?? 0,
      position,
      committed_at: position === 0 ? null : new Date(timeMs).toISOString(),
      lag_millis: Math.max(0, Math.floor(this.#clock.monotonic() - this.#reachedMs)),
    };
  }

  /**
   * Resolves once it is closed; rejects with the error that ended it, as
   * {@link followReplica} throws it.
   */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Looks at the target now. Resolves also if that failed, which {@link status} tells. */
  async catchUp(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    if (this.#state === 'ended') return;
    clearTimeout(this.#timer);
    this.#running = this.#look().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  /** Ends after the slot that is being applied. The directory stays a standby. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** As {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const wasRunning = this.#state !== 'ended';
    this.#state = 'ended';
    clearTimeout(this.#timer);
    this.#parts.copy.end();
    await this.#running;
    if (!wasRunning) return;
    await this.#release();
    this.#end();
  }

  #schedule(delayMs: number): void {
    if (this.#state === 'ended') return;
    this.#timer = setTimeout(() => void this.catchUp(), delayMs);
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { copy } = this.#parts;
    const before = { state: this.#state, position: copy.at?.last.position };
    try {
      if (await copy.hasMore()) await copy.catchUp(() => undefined);
      if (this.#state !== 'ended') this.#state = 'following';
      this.#reachedMs = this.#clock.monotonic();
      this.#failures = 0;
    } catch (error) {
      await this.#failed(fileFailure(error));
    }
    if (before.state !== this.#state || before.position !== copy.at?.last.position) {
      this.#options.onChange?.(this.status);
    }
    const waitMs = Math.min(RETRY_MS * 2 ** (this.#failures - 1), RETRY_MAX_MS);
    this.#schedule(this.#failures === 0 ? this.#options.pollMs : waitMs);
  }

  async #failed(error: AgentkeepError): Promise<void> {
    if (this.#state === 'ended') return;
    this.#failures += 1;
    if (PASSING.has(error.code)) {
      this.#state = error.code === 'replica_unavailable' ? 'away' : 'waiting';
      return;
    }
    this.#state = 'ended';
    await this.#release();
    this.#end(error);
  }

  async #release(): Promise<void> {
    const { copy, release, target } = this.#parts;
    await copy.close().catch(() => undefined);
    release();
    await target.close().catch(() => undefined);
  }
}
