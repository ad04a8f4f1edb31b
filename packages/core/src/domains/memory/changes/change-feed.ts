/**
 * What calls of the change feed share: its options, who waits, and who wakes them. A store that
 * tells of its commits wakes those who wait for the tenant. Over a shared store they look again
 * after a while, which grows up to half a second.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import {
  CHANGES_RETENTION_DAYS_DEFAULT,
  CHANGES_RETENTION_DAYS_MAX,
  CHANGES_WAITS_MAX,
} from '../../../contract/limits.js';
import type { FeedWait } from '../../../kernel/load/held-texts.js';
import type { Party } from '../../../kernel/load/party.js';
import { Port } from '../../../kernel/ports/port.js';
import type { CommittedWrites, Store } from '../../../storage/store/store.js';
import { tenantOfChangeKey, tenantPartOf } from '../journal/change-store.js';

/** Lets calls wait for changes of memory. */
export const changeFeed = new Port<ChangeFeed>('changeFeed');

/** A caller looks again at least this often, so that it ends within a second of its authority. */
const LOOK_MS_MAX = 500;
/** The first look over a shared store comes after this time; each further one after twice it. */
const LOOK_MS_MIN = 25;

/** Dependencies of the feed. */
export interface ChangeFeedParts {
  /** The store itself. */
  readonly backend: Pick<Store, 'observe'>;
}

/** The change feed of a keep. */
export class ChangeFeed {
  readonly #isWoken: boolean;
  /** What wakes those who wait, by the tenant part of keys. */
  readonly #sleepers = new Map<string, Set<() => void>>();
  /** Waits by the name of their group. */
  readonly #counts = new Map<string, number>();
  #isClosing = false;

  constructor({ backend }: ChangeFeedParts) {
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

  /**
   * Returns a slot among the waiting calls.
   *
   * @throws {AgentkeepError} `too_many_waits` beyond a bound.
   */
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

/** Options of the change feed. */
export interface ChangeFeedOptions {
  /** Days that changes can be read, at least. Default: 30. */
  readonly retentionDays?: number;
}

const DAY_MS = 86_400_000;

/**
 * Returns the milliseconds that changes are kept.
 * @throws {TypeError} when the number is out of range.
 */
export function changeRetentionMs({
  retentionDays = CHANGES_RETENTION_DAYS_DEFAULT,
}: ChangeFeedOptions): number {
  const isInRange = retentionDays >= 1 && retentionDays <= CHANGES_RETENTION_DAYS_MAX;
  if (Number.isSafeInteger(retentionDays) && isInRange) return retentionDays * DAY_MS;
  const range = `from 1 to ${CHANGES_RETENTION_DAYS_MAX}`;
  throw new TypeError(`changes.retentionDays must be an integer ${range}.`);
}
