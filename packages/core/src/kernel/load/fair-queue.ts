/** A queue that serves tenants in turn, and the principals of a tenant in turn. */
import type { Party } from './party.js';

/** Items of many parties. Those of one principal leave in order of arrival. */
export class FairQueue<T> {
  /** Items by tenant and principal. The order of the maps is the order of service. */
  readonly #lines = new Map<string, Map<string, T[]>>();
  #size = 0;

  /** Number of items. */
  get size(): number {
    return this.#size;
  }

  /** Adds an item at the end of the queue of its principal. */
  push({ tenant, principal }: Party, item: T): void {
    const principals = lineOf(this.#lines, tenant, () => new Map<string, T[]>());
    lineOf(principals, principal, (): T[] => []).push(item);
    this.#size += 1;
  }

  /**
   * Removes and returns the next item of the first party that may have one; `undefined` if there is
   * none. Its tenant and its principal then move behind all others.
   */
  next(mayHave: (party: Party) => boolean = () => true): T | undefined {
    for (const [tenant, principals] of this.#lines) {
      for (const [principal, items] of principals) {
        if (!mayHave({ tenant, principal })) continue;
        const item = items.shift();
        this.#size -= 1;
        moveBehind(principals, principal, items.length > 0);
        moveBehind(this.#lines, tenant, principals.size > 0);
        return item;
      }
    }
    return undefined;
  }
}

function lineOf<V>(lines: Map<string, V>, name: string, make: () => V): V {
  const found = lines.get(name);
  if (found !== undefined) return found;
  const made = make();
  lines.set(name, made);
  return made;
}

function moveBehind<V>(lines: Map<string, V>, name: string, isKept: boolean): void {
  const line = lines.get(name);
  lines.delete(name);
  if (isKept && line !== undefined) lines.set(name, line);
}
