/**
 * The locks of a transaction, on three levels: one for the whole store, one for each group of keys
 * (a tenant's subspace), one for each key. A read or write of a key takes the levels above it
 * shared. A walk through a span takes the lowest level that covers it exclusively. So two
 * transactions share a lock whenever one writes what the other reads or writes, including absent
 * keys.
 */
import { keyText } from '@agentkeep/core/store';

/** Ends the tenant part of a key; the number of the subspace follows. */
const TENANT_END = '\0';

/** The name of the lock on the whole store. */
const ALL = 'all';

/** Most locks of one transaction, because all clients share the lock table of the database. */
export const LOCKS_MAX = 192;

/** Locks by name, with their modes. */
export class LockSet {
  /** Whether each lock is exclusive, by name. */
  readonly #isExclusive = new Map<string, boolean>();

  /** Number of locks. */
  get size(): number {
    return this.#isExclusive.size;
  }

  /** Name and mode of each lock. */
  entries(): Iterable<[name: string, isExclusive: boolean]> {
    return this.#isExclusive;
  }

  /** Adds the locks for reading a key. */
  addRead(text: string): void {
    this.#addAbove(text);
    this.#add(keyLock(text), false);
  }

  /** Adds the locks for writing a key. */
  addWrite(text: string): void {
    this.#addAbove(text);
    this.#add(keyLock(text), true);
  }

  /** Adds the locks for appending under a prefix, which no other append conflicts with. */
  addAppend(prefix: string): void {
    this.#addAbove(prefix);
  }

  /** Adds the lock that excludes all other transactions. */
  addStore(): void {
    this.#add(ALL, true);
  }

  /** Adds the locks for walking through a span. */
  addSpan(from: Uint8Array, to: Uint8Array): void {
    const prefix = commonPrefix(keyText(from), keyText(to));
    this.#addExclusive(groupOf(prefix));
  }

  /** Adds the locks of another set. */
  addAll(other: LockSet): void {
    for (const [name, isExclusive] of other.#isExclusive) this.#add(name, isExclusive);
  }

  /** Whether transactions with these locks cannot run concurrently. */
  conflictsWith(other: LockSet): boolean {
    const [fewer, more] = this.size < other.size ? [this, other] : [other, this];
    for (const [name, isExclusive] of fewer.#isExclusive) {
      const mode = more.#isExclusive.get(name);
      if (mode !== undefined && (mode || isExclusive)) return true;
    }
    return false;
  }

  /** Returns the locks of this set that another set does not cover. */
  without(held: LockSet): LockSet {
    const rest = new LockSet();
    for (const [name, isExclusive] of this.#isExclusive) {
      if (!held.#covers(name, isExclusive)) rest.#add(name, isExclusive);
    }
    return rest;
  }

  /** Returns an equivalent set of at most `max` locks, with groups or the store instead of keys. */
  bounded(max: number): LockSet {
    if (this.size <= max) return this;
    const groups = new LockSet();
    for (const [name, isExclusive] of this.#isExclusive) {
      const text = keyOf(name);
      if (text === undefined) groups.#add(name, isExclusive);
      // All others take the group shared, so an exclusive group lock excludes them.
      else groups.#addExclusive(groupOf(text));
    }
    if (groups.size <= max) return groups;
    const all = new LockSet();
    all.#add(ALL, true);
    return all;
  }

  #addAbove(text: string): void {
    this.#add(ALL, false);
    this.#add(groupLock(groupOf(text)), false);
  }

  #addExclusive(group: string): void {
    this.#add(ALL, !isGroup(group));
    if (isGroup(group)) this.#add(groupLock(group), true);
  }

  /** Whether this set has the lock, or an exclusive one above it. */
  #covers(name: string, isExclusive: boolean): boolean {
    const mode = this.#isExclusive.get(name);
    if (mode === true || (mode === false && !isExclusive)) return true;
    const text = keyOf(name);
    const isInGroup = text !== undefined && this.#isExclusive.get(groupLock(groupOf(text)));
    return isInGroup === true || this.#isExclusive.get(ALL) === true;
  }

  #add(name: string, isExclusive: boolean): void {
    this.#isExclusive.set(name, isExclusive || this.#isExclusive.get(name) === true);
  }
}

/** Returns the tenant of a key; empty for the installation and for other keys. */
export function tenantOf(text: string): string {
  const end = text.indexOf(TENANT_END);
  return end === -1 ? '' : text.slice(0, end);
}

/** Returns tenant and subspace of a key. A key too short for both is its own group. */
function groupOf(text: string): string {
  const end = text.indexOf(TENANT_END);
  return end === -1 ? '' : text.slice(0, end + 2);
}

/** Whether a text is a complete tenant and subspace, and so the prefix of one group. */
function isGroup(group: string): boolean {
  return group.length >= 2 && group.indexOf(TENANT_END) === group.length - 2;
}

/** Returns the common prefix of all keys of a span. */
function commonPrefix(from: string, to: string): string {
  let length = 0;
  while (length < from.length && from[length] === to[length]) length += 1;
  // If the end is the next byte at this position, all keys of the span share the byte there.
  const next = from.charCodeAt(length) + 1;
  const isOneStep = to.length === length + 1 && to.charCodeAt(length) === next;
  return from.slice(0, isOneStep ? length + 1 : length);
}

function keyLock(text: string): string {
  return `key:${text}`;
}

function groupLock(group: string): string {
  return `group:${group}`;
}

function keyOf(name: string): string | undefined {
  return name.startsWith('key:') ? name.slice(4) : undefined;
}
