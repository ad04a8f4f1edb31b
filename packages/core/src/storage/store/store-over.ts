/**
 * A store over another one: what it has of its own, and the rest as it is below.
 * @module
 */
import type { Store } from './store.js';

/** A store that does what `own` says itself, and leaves everything else to the one below. */
export function storeOver(below: Store, own: Partial<Store>): Store {
  return {
    isShared: below.isShared,
    read: (body) => below.read(body),
    transact: (body) => below.transact(body),
    backup: (directory) => below.backup(directory),
    stats: () => below.stats(),
    waiting: () => below.waiting(),
    scan: (visit) => below.scan(visit),
    close: () => below.close(),
    ...own,
  };
}
