/**
 * Which locks a transaction needs, on three levels: one for all, one for each group of keys (a
 * tenant's subspace), one for each key. Whoever reads or writes a key shares the levels above it,
 * and whoever walks through a span has the least level that covers it to itself. So two
 * transactions meet in a lock wherever one writes what the other reads or writes, keys that are not
 * there included.
 * @module
 */
import { keyText } from '@agentkeep/core/store';

/** Ends the tenant part of a key; the number of the subspace follows. */
const TENANT_END = '\0';

/** The name of the lock above all groups. */
const ALL = 'all';

/** Most locks that one transaction takes, so that the database has room for those of many. */
export const LOCKS_MAX = 192;

/** Locks by name, with their modes. */
export class LockSet {
  /** Whether each lock is for its holder alone. */
  readonly #isExclusive = new Map<string, boolean>();

  /** How many locks these are. */
  get size(): number {
    return this.#isExclusive.size;
  }

  /** Name and mode of each lock. */
  entries(): Iterable<[name: string, isExclusive: boolean]> {
    return this.#isExclusive;
  }

  /** What reading a key takes. */
  addRead(text: string): void {
    this.#addAbove(text);
    this.#add(keyLock(text), false);
  }

  /** What writing a key takes. */
  addWrite(text: string): void {
    this.#addAbove(text);
    this.#add(keyLock(text), true);
  }

  /** What walking through a span takes. */
  addSpan(from: Uint8Array, to: Uint8Array): void {
    const prefix = commonPrefix(keyText(from), keyText(to));
    this.#addAlone(groupOf(prefix));
  }

  /** Takes in the locks of another set. */
  addAll(other: LockSet): void {
    for (const [name, isExclusive] of other.#isExclusive) this.#add(name, isExclusive);
  }

  /** Whether two transactions with these locks cannot go on at once. */
  conflictsWith(other: LockSet): boolean {
    const [fewer, more] = this.size < other.size ? [this, other] : [other, this];
    for (const [name, isExclusive] of fewer.#isExclusive) {
      const mode = more.#isExclusive.get(name);
      if (mode !== undefined && (mode || isExclusive)) return true;
    }
    return false;
  }

  /** Those locks of this set that whoever holds another one does not have by that. */
  without(held: LockSet): LockSet {
    const rest = new LockSet();
    for (const [name, isExclusive] of this.#isExclusive) {
      if (!held.#covers(name, isExclusive)) rest.#add(name, isExclusive);
    }
    return rest;
  }

  /** The same with at most so many locks: keys give way to their groups, and these to all. */
  bounded(max: number): LockSet {
    if (this.size <= max) return this;
    const groups = new LockSet();
    for (const [name, isExclusive] of this.#isExclusive) {
      const text = keyOf(name);
      if (text === undefined) groups.#add(name, isExclusive);
      // Everyone else shares the group, so having it alone keeps them out.
      else groups.#addAlone(groupOf(text));
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

  #addAlone(group: string): void {
    this.#add(ALL, !isGroup(group));
    if (isGroup(group)) this.#add(groupLock(group), true);
  }

  /** Whether a lock is here, or one above it that keeps everyone else out of it. */
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

/** The tenant of a key; empty for the installation and for what is no key of a keep. */
export function tenantOf(text: string): string {
  const end = text.indexOf(TENANT_END);
  return end === -1 ? '' : text.slice(0, end);
}

/** Tenant and subspace of a key; a key that is too short to have both is a group by itself. */
function groupOf(text: string): string {
  const end = text.indexOf(TENANT_END);
  return end === -1 ? '' : text.slice(0, end + 2);
}

/** Whether a text names a tenant and a subspace in full, so that all keys with it are one group. */
function isGroup(group: string): boolean {
  return group.length >= 2 && group.indexOf(TENANT_END) === group.length - 2;
}

/** What all keys of a span start with. */
function commonPrefix(from: string, to: string): string {
  let length = 0;
  while (length < from.length && from[length] === to[length]) length += 1;
  // A span that ends before the next byte at this place holds that byte in all its keys.
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
