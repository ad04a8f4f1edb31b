/**
 * What calls of the change feed share: who waits, who wakes them, and the secret of cursors. A
 * store that tells of its commits wakes those who wait for the tenant. Over a shared store they
 * look again after a while, which grows up to half a second.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { CHANGES_WAITS_MAX } from '../../../contract/limits.js';
import { findMarker, putMarker } from '../../../kernel/installation/marker-store.js';
import type { Party } from '../../../kernel/load/party.js';
import type { ChangeFeedPort, FeedWait } from '../../../kernel/load/change-feed.js';
import type { Entropy } from '../../../kernel/ports/entropy.js';
import type { CommittedWrites, Store, Transactions } from '../../../storage/store/store.js';
import { tenantOfChangeKey, tenantPartOf } from '../journal/change-store.js';

/** A caller looks again at least this often, so that it ends within a second of its authority. */
const LOOK_MS_MAX = 500;
/** The first look over a shared store comes after this time; each further one after twice it. */
const LOOK_MS_MIN = 25;

const SECRET_BYTES = 32;

/** Dependencies of the feed. */
export interface ChangeFeedParts {
  readonly store: Transactions;
  /** The store itself. */
  readonly backend: Pick<Store, 'observe'>;
  readonly entropy: Entropy;
}

/** The change feed of a keep. */
export class ChangeFeed implements ChangeFeedPort {
  readonly #parts: ChangeFeedParts;
  readonly #isWoken: boolean;
  /** What wakes those who wait, by the tenant part of keys. */
  readonly #sleepers = new Map<string, Set<() => void>>();
  /** Waits by the name of their group. */
  readonly #counts = new Map<string, number>();
  #secret: Promise<Uint8Array> | undefined;
  #isClosing = false;

  constructor(parts: ChangeFeedParts) {
    this.#parts = parts;
    const { backend } = parts;
    this.#isWoken = backend.observe !== undefined;
    backend.observe?.({
      committed: (writes) => {
        if (this.#sleepers.size > 0) this.#wakeFor(writes);
      },
      failed: () => undefined,
    });
  }

  /** Whether the keep is closing. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Returns a place among the calls that wait. */
  wait(party: Party): FeedWait {
    const groups = groupsOf(party);
    for (const { name, max } of groups) {
      if ((this.#counts.get(name) ?? 0) >= max) throw new AgentkeepError('too_many_waits');
    }
    this.#count(groups, 1);
    let delayMs = this.#isWoken ? LOOK_MS_MAX : LOOK_MS_MIN;
    let isOver = false;
    return {
      soon: async ({ signal, stopping }) => {
        await this.#sleep(tenantPartOf(party.tenant), delayMs, [signal, stopping]);
        delayMs = Math.min(2 * delayMs, LOOK_MS_MAX);
      },
      end: () => {
        if (!isOver) this.#count(groups, -1);
        isOver = true;
      },
    };
  }

  /** Returns the secret of cursors, which all servers of a store and all its copies share. */
  cursorSecret(): Promise<Uint8Array> {
    this.#secret ??= this.#agreeOnSecret().catch((error: unknown) => {
      this.#secret = undefined;
      throw error;
    });
    return this.#secret;
  }

  /** Ends all waiting. */
  stop(): Promise<void> {
    this.#isClosing = true;
    for (const sleepers of this.#sleepers.values()) for (const wake of [...sleepers]) wake();
    return Promise.resolve();
  }

  #sleep(
    tenant: string,
    delayMs: number,
    signals: readonly (AbortSignal | undefined)[],
  ): Promise<void> {
    if (this.#isClosing || signals.some((signal) => signal?.aborted)) return Promise.resolve();
    return new Promise((resolve) => {
      const sleepers = this.#sleepers.get(tenant) ?? new Set();
      this.#sleepers.set(tenant, sleepers);
      const wake = (): void => {
        clearTimeout(timer);
        for (const signal of signals) signal?.removeEventListener('abort', wake);
        sleepers.delete(wake);
        if (sleepers.size === 0 && this.#sleepers.get(tenant) === sleepers) {
          this.#sleepers.delete(tenant);
        }
        resolve();
      };
      const timer = setTimeout(wake, delayMs);
      sleepers.add(wake);
      for (const signal of signals) signal?.addEventListener('abort', wake);
    });
  }

  #wakeFor(writes: CommittedWrites): void {
    for (const key of writes.keys()) {
      const tenant = tenantOfChangeKey(key);
      if (tenant === undefined) continue;
      for (const wake of [...(this.#sleepers.get(tenant) ?? [])]) wake();
    }
  }

  #count(groups: readonly Group[], by: number): void {
    for (const { name } of groups) {
      const count = (this.#counts.get(name) ?? 0) + by;
      if (count === 0) this.#counts.delete(name);
      else this.#counts.set(name, count);
    }
  }

  async #agreeOnSecret(): Promise<Uint8Array> {
    const { store, entropy } = this.#parts;
    const stored = await store.read((tx) => findMarker(tx, 'change_cursors'));
    if (typeof stored === 'string') return Buffer.from(stored, 'base64url');
    const made = Buffer.from(entropy.bytes(SECRET_BYTES)).toString('base64url');
    const agreed = await store.transact((tx) => {
      const present = findMarker(tx, 'change_cursors');
      if (typeof present === 'string') return present;
      putMarker(tx, 'change_cursors', made);
      return made;
    });
    return Buffer.from(agreed, 'base64url');
  }
}

/** Callers that are counted together. */
interface Group {
  readonly name: string;
  readonly max: number;
}

/** A tenant has no zero byte in its name, so no two groups share a name. */
function groupsOf({ tenant, principal }: Party): readonly Group[] {
  return [
    { name: `${tenant}\0${principal}`, max: CHANGES_WAITS_MAX.principal },
    { name: `${tenant}\0`, max: CHANGES_WAITS_MAX.tenant },
    { name: '', max: CHANGES_WAITS_MAX.all },
  ];
}
