/**
 * Counts repeats of events, so that a client can't fill the log by repeating a call. The first
 * event of a client and kind in a minute is recorded unchanged; its repeats become one event with
 * their number as `metadata.count`.
 */
import { certain } from '../../contract/certain.js';
import { AUDIT_ADDRESSES_MAX, AUDIT_CLIENTS_MAX } from '../../contract/limits.js';
import type { AuditDraft } from '../audit/audit.js';
import { cleanedDraft } from './event-fields.js';

const GROUPS = 8;
/**
 * Groups of an IPv6 address that one network shares. Its clients choose the other groups freely.
 */
const NETWORK_GROUPS = 4;

/** Returns the kind of an event. */
function kindOf({ type, action, result }: AuditDraft): string {
  return JSON.stringify([type, action, result]);
}

/**
 * Returns the client and kind of an event: the authenticated caller, or else the address. Events
 * with different keys, sessions, refused names, errors or reasons are not repeats.
 */
function repeatKeyOf(draft: AuditDraft): string {
  const { userId, ipAddress, metadata } = draft;
  const client = userId ?? (ipAddress === null ? null : networkOf(ipAddress));
  const { key_id: key, session_id: session, attempted_username: name, error, reason } = metadata;
  const what = [key, session, name, error, reason].map((value) => value ?? null);
  return JSON.stringify([kindOf(draft), client, ...what]);
}

/** Returns an IPv4 address as it is, and the first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = '', after] = address.split('::');
  const [left, right] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const known = [...(left ?? [])];
  while (known.length + (right?.length ?? 0) < GROUPS) known.push('0');
  return [...known, ...(right ?? [])].slice(0, NETWORK_GROUPS).join(':');
}

const MINUTE_MS = 60_000;

/** An event with the number of its repeats since it was last recorded. */
interface Repeated {
  readonly first: AuditDraft;
  count: number;
  latest: Pick<AuditDraft, 'id' | 'atMillis'>;
}

/**
 * The callers of one authority, with or without a valid proof. No share displaces the entries of
 * another one: when memory is full, the largest share loses an entry.
 */
interface Share {
  readonly clients: Map<string, Repeated>;
  /** The keys of the clients, the newest last. */
  readonly order: string[];
  /** Events of clients without an entry of their own, by kind. They name no client. */
  readonly others: Map<string, Repeated>;
}

/** Bounds of the memory. */
interface RepeatBounds {
  /** Most clients and kinds in all. */
  readonly clientsMax: number;
  /** Most of callers without a good proof, for each authority. */
  readonly addressesMax: number;
}

/** The repeats of the current minute, in bounded memory. */
export class Repeats {
  readonly #bounds: RepeatBounds;
  readonly #shares = new Map<string, Share>();
  #size = 0;
  #counted = 0;
  #minute = -1;

  constructor(
    bounds: RepeatBounds = {
      clientsMax: AUDIT_CLIENTS_MAX,
      addressesMax: AUDIT_ADDRESSES_MAX,
    },
  ) {
    this.#bounds = bounds;
  }

  /** Clients and kinds that are remembered now. */
  get size(): number {
    return this.#size;
  }

  /** Whether repeats wait to be recorded. */
  get hasCounts(): boolean {
    return this.#counted > 0;
  }

  /** Takes an event; returns the events to record now: this one, and counts that end. */
  note(draft: AuditDraft, nowMs: number): AuditDraft[] {
    const ended = this.#endMinuteBefore(nowMs);
    const isProved = draft.userId !== null;
    const name = JSON.stringify([draft.tenantId, isProved]);
    const share = this.#shares.get(name);
    const key = repeatKeyOf(draft);
    const known = share?.clients.get(key);
    if (known !== undefined) {
      this.#count(known, draft);
      return ended;
    }
    const displaced = this.#makeRoom(share, isProved);
    if (displaced !== undefined) {
      const own = share ?? emptyShare();
      this.#shares.set(name, own);
      own.order.push(key);
      own.clients.set(key, repeatedOf(cleanedDraft(draft)));
      this.#size += 1;
      return [...ended, ...displaced, draft];
    }
    // An event for which there is no memory is recorded unchanged.
    if (share === undefined) return [...ended, draft];
    return [...ended, ...this.#noteOther(share, draft)];
  }

  /** Returns the counts so far as events, and restarts counting from 0. */
  settle(): AuditDraft[] {
    if (this.#counted === 0) return [];
    const events: AuditDraft[] = [];
    for (const { clients, others } of this.#shares.values()) {
      for (const repeated of clients.values()) events.push(...this.#settleOne(repeated));
      for (const repeated of others.values()) events.push(...this.#settleOne(repeated));
    }
    return events;
  }

  #endMinuteBefore(nowMs: number): AuditDraft[] {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute === this.#minute) return [];
    const events = this.settle();
    this.#shares.clear();
    this.#size = 0;
    this.#minute = minute;
    return events;
  }

  /**
   * Returns the counts that are dropped to make room for one more client of a share; `undefined` if
   * none are.
   */
  #makeRoom(share: Share | undefined, isProved: boolean): AuditDraft[] | undefined {
    const size = share?.clients.size ?? 0;
    if (!isProved && size >= this.#bounds.addressesMax) return undefined;
    if (this.#size < this.#bounds.clientsMax) return [];
    const largest = this.#largest();
    if (largest === undefined || largest.clients.size <= size + 1) return undefined;
    const newest = certain(largest.order.pop(), 'client');
    const repeated = largest.clients.get(newest);
    largest.clients.delete(newest);
    this.#size -= 1;
    return repeated === undefined ? [] : this.#settleOne(repeated);
  }

  #largest(): Share | undefined {
    let largest: Share | undefined;
    for (const share of this.#shares.values()) {
      if (share.clients.size > (largest?.clients.size ?? 0)) largest = share;
    }
    return largest;
  }

  #noteOther({ others }: Share, draft: AuditDraft): AuditDraft[] {
    const kind = kindOf(draft);
    const known = others.get(kind);
    if (known !== undefined) {
      this.#count(known, draft);
      return [];
    }
    others.set(kind, repeatedOf(ofOthers(draft)));
    return [draft];
  }

  #count(repeated: Repeated, { id, atMillis }: AuditDraft): void {
    if (repeated.count === 0) this.#counted += 1;
    repeated.count += 1;
    repeated.latest = { id, atMillis };
  }

  #settleOne(repeated: Repeated): AuditDraft[] {
    const { first, count, latest } = repeated;
    if (count === 0) return [];
    repeated.count = 0;
    this.#counted -= 1;
    return [{ ...first, ...latest, metadata: { ...first.metadata, count } }];
  }
}

function emptyShare(): Share {
  return { clients: new Map(), order: [], others: new Map() };
}

/** Metadata that identifies a single request. */
const ofOneRequest: ReadonlySet<string> = new Set(['request_id', 'trace_id']);

function repeatedOf(draft: AuditDraft): Repeated {
  const { id, atMillis } = draft;
  // A count belongs to many requests.
  const members = Object.entries(draft.metadata).filter(([name]) => !ofOneRequest.has(name));
  const metadata = Object.fromEntries(members);
  return { first: { ...draft, metadata }, count: 0, latest: { id, atMillis } };
}

/** Returns an event that stands for several clients, so that it names none. */
function ofOthers(draft: AuditDraft): AuditDraft {
  const { principal } = draft.metadata;
  const metadata = { clients: 'others', ...(principal === undefined ? {} : { principal }) };
  const noActor = { userId: null, username: null, ipAddress: null, userAgent: null };
  return cleanedDraft({ ...draft, ...noActor, metadata });
}
