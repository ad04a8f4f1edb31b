/** Replaces members of a store, for tests. */
import type { Store } from '../store/store.js';

/** Returns a store with the members of `own`, and all others of the store below. */
export function storeOver(below: Store, own: Partial<Store>): Store {
  return {
    isShared: below.isShared,
    read: (body) => below.read(body),
    transact: (body) => below.transact(body),
    hold: () => below.hold(),
    backup: (directory) => below.backup(directory),
    stats: () => below.stats(),
    waiting: () => below.waiting(),
    scan: (visit) => below.scan(visit),
    close: () => below.close(),
    ...own,
  };
}
