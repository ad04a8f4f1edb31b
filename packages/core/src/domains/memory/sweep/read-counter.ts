/**
 * Counts reads of records in memory, and stores the counts after the answers were given. No answer
 * waits for it. A process that is killed loses what it had not stored.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import {
  READS_KNOWN_MS,
  READS_STORED_AFTER_MS,
  READS_WAITING_MAX,
  READS_WAITING_OF_TENANT_MAX,
} from '../../../contract/limits.js';
import { baseOf, type Namespace } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { isBeingErased } from '../../../kernel/erased/erasure-mark-store.js';
import { isErasedSubject } from '../../../kernel/erased/erased-subject-store.js';
import type { Clock } from '../../../kernel/ports/clock.js';
import { keyText } from '../../../storage/store/bytes.js';
import type { ReadTx, Transactions, WriteTx } from '../../../storage/store/store.js';
import { findRecordState } from '../record/memory-store.js';
import type { CountsReads } from '../record/read-port.js';
import { findRetention, retentionOf } from '../retention/retention-store.js';
import { addReads, dayOf, firstDayKept, type StoredReads } from '../record/read-store.js';

/** Counts of one transaction: few enough to delay other work by milliseconds only. */
const STORED_AT_ONCE = 64;

/** Tenants that are known not to count, before all are forgotten. */
const KNOWN_MAX = 4_096;

/** Reads of a record by one reader that are not stored yet. */
interface Waiting {
  readonly namespace: Namespace;
  readonly recordId: string;
  readonly reader: string;
  lastAtMillis: number;
  /** Reads by day; a clock that was set back may repeat a day. */
  readonly days: [day: number, reads: number][];
}

/** Reads of one tenant that are not stored yet. */
interface TenantReads {
  size: number;
  /** By scope and reader, then by record, so that records are found by the text of their id. */
  readonly byReader: Map<string, Map<string, Waiting>>;
}

function noReads(): TenantReads {
  return { size: 0, byReader: new Map<string, Map<string, Waiting>>() };
}

/** Dependencies of the counter. */
interface ReadCounterParts {
  readonly store: Transactions;
  readonly clock: Clock;
}

/** Counts the reads of one keep. */
export class ReadCounter implements CountsReads {
  readonly #parts: ReadCounterParts;
  readonly #waiting = new Map<string, TenantReads>();
  /** Until when a tenant is known not to count. */
  readonly #offUntil = new Map<string, number>();
  readonly #storing = new Map<string, Promise<void>>();
  /** How often settings changed. */
  #changes = 0;
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: ReadCounterParts) {
    this.#parts = parts;
  }

  /** Counts that are not stored yet: at most {@link READS_WAITING_MAX}. */
  get waiting(): number {
    return this.#size;
  }

  /** Notes that a credential was given records. What doesn't fit is not counted. Never throws. */
  note(credential: ActingCredential, namespace: Namespace, recordIds: readonly string[]): void {
    const { tenantId } = namespace;
    const nowMs = this.#parts.clock.now();
    if (recordIds.length === 0 || this.#isStopped || this.#isOff(tenantId, nowMs)) return;
    const { subject_id: reader } = credential.actingService ?? credential.spec;
    const base = baseOf(namespace);
    const place = `${keyText(base.digest)}${reader}`;
    const day = dayOf(nowMs);
    for (const recordId of recordIds) {
      const known =
        this.#waiting.get(tenantId)?.byReader.get(place)?.get(recordId) ??
        this.#added(place, { namespace: base, recordId, reader, lastAtMillis: 0, days: [] });
      if (known === undefined) continue;
      known.lastAtMillis = nowMs;
      const last = known.days.at(-1);
      if (last?.[0] === day) last[1] += 1;
      else known.days.push([day, 1]);
    }
    this.#storeSoon();
  }

  /** Forgets whether a tenant counts, because its setting has changed. */
  settingChanged(tenantId: string): void {
    this.#changes += 1;
    this.#offUntil.delete(tenantId);
  }

  /** Stores the counts of a tenant that wait; those that come meanwhile may wait for the next. */
  flush(tenantId: string): Promise<void> {
    const before = this.#storing.get(tenantId) ?? Promise.resolve();
    if (!this.#waiting.has(tenantId)) return before;
    const run = before
      .catch(() => undefined)
      .then(() => this.#store(tenantId))
      .finally(() => {
        if (this.#storing.get(tenantId) === run) this.#storing.delete(tenantId);
      });
    this.#storing.set(tenantId, run);
    return run;
  }

  /** Drops what waits: somebody whom it names may have been erased. */
  drop(): void {
    this.#waiting.clear();
    this.#size = 0;
  }

  /** Stores what waits, as far as the store takes it, and ends the counting. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#flushAll();
  }

  /** Makes room for the reads of a record by a reader; `undefined` if there is none. */
  #added(place: string, fresh: Waiting): Waiting | undefined {
    const { namespace, recordId } = fresh;
    const { tenantId } = namespace;
    const ofTenant = this.#waiting.get(tenantId) ?? noReads();
    const isFull = ofTenant.size >= READS_WAITING_OF_TENANT_MAX;
    if (isFull || this.#size >= READS_WAITING_MAX) return undefined;
    const ofReader = ofTenant.byReader.get(place) ?? new Map<string, Waiting>();
    this.#waiting.set(tenantId, ofTenant);
    ofTenant.byReader.set(place, ofReader);
    ofReader.set(recordId, fresh);
    ofTenant.size += 1;
    this.#size += 1;
    return fresh;
  }

  #isOff(tenantId: string, nowMs: number): boolean {
    const until = this.#offUntil.get(tenantId);
    // A clock that was set back must not turn the counting off.
    return until !== undefined && nowMs < until && nowMs >= until - READS_KNOWN_MS;
  }

  #storeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#flushAll();
    }, READS_STORED_AFTER_MS).unref();
  }

  async #flushAll(): Promise<void> {
    // One tenant after the other, so that this never takes more than one place of the store.
    for (const tenantId of [...this.#waiting.keys()]) {
      await this.flush(tenantId).catch(() => undefined);
    }
  }

  /** Stores what waits of a tenant. Counts that can't be stored are lost. */
  async #store(tenantId: string): Promise<void> {
    const byReader = this.#waiting.get(tenantId)?.byReader.values() ?? [];
    const waiting = [...byReader].flatMap((ofReader) => [...ofReader.values()]);
    this.#waiting.delete(tenantId);
    this.#size = Math.max(0, this.#size - waiting.length);
    const { store, clock } = this.#parts;
    const nowMs = clock.now();
    const changes = this.#changes;
    if (!(await store.read((tx) => counts(tx, tenantId)))) {
      if (this.#offUntil.size >= KNOWN_MAX) this.#offUntil.clear();
      // The setting may have changed since it was read.
      if (changes === this.#changes) this.#offUntil.set(tenantId, nowMs + READS_KNOWN_MS);
      return;
    }
    for (let from = 0; from < waiting.length; from += STORED_AT_ONCE) {
      const some = waiting.slice(from, from + STORED_AT_ONCE);
      await store.transact((tx) => {
        for (const each of some) storeOne(tx, each, nowMs);
      });
    }
  }
}

/** Returns whether a tenant counts reads in some of its scopes. */
function counts(tx: ReadTx, tenantId: string): boolean {
  return (findRetention(tx, { tenantId, digest: null })?.setting.readDays ?? 0) > 0;
}

function storeOne(tx: WriteTx, waiting: Waiting, nowMs: number): void {
  const { namespace, recordId, reader, lastAtMillis, days } = waiting;
  const { readDays } = retentionOf(tx, namespace);
  if (readDays === 0) return;
  const { tenantId, parts } = namespace;
  // It may have been erased since it was read.
  const isGone =
    findRecordState(tx, namespace, recordId) === undefined ||
    isBeingErased(tx, tenantId, parts) ||
    isErasedSubject(tx, tenantId, reader);
  if (isGone) return;
  const added: StoredReads = { lastAtMillis, days };
  const firstDay = firstDayKept(readDays, nowMs);
  addReads(tx, { namespace, recordId }, reader, { added, firstDay });
}
