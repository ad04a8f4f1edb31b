/**
 * Appends ids to one list, each in a commit that is longer than any other request.
 */
import { keyBytes, type Store } from '@agentkeep/core/store';

const KEY = keyBytes('c\0\x05list');
const PADDING = '.'.repeat(400);

/** Appends an id to the list. */
export function append(store: Store, id: string): Promise<void> {
  return store.transact((tx) => {
    tx.put(keyBytes(`c\0\x06${id}`), Buffer.from(PADDING));
    tx.put(KEY, Buffer.from([...listIn(tx.get(KEY)), id].join()));
  });
}

/** Returns all ids in order. */
export function readList(store: Store): Promise<string[]> {
  return store.read((tx) => listIn(tx.get(KEY)));
}

function listIn(value: Uint8Array | undefined): string[] {
  return value === undefined ? [] : Buffer.from(value).toString().split(',');
}
