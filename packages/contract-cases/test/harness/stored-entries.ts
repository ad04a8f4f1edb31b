/** Reads and damages stored entries directly, bypassing the keep. */
import type { Store } from '@agentkeep/core';

/** Names of the subspaces that the tests read, by number. */
const subspaces: Readonly<Record<number, string>> = {
  1: 'tenants',
  2: 'credentialLocators',
  3: 'credentials',
  4: 'credentialEvents',
  5: 'namespaces',
  6: 'memoryRecords',
  7: 'memoryScan',
  8: 'memoryReceipts',
  9: 'auditHeads',
  10: 'auditBlocks',
  11: 'auditPostings',
  13: 'accounts',
  18: 'accountEvents',
  30: 'markers',
  33: 'globalCredentials',
  34: 'globalCredentialEvents',
  35: 'tenantDirectory',
  37: 'tallySlots',
  40: 'learningPolicies',
  41: 'learningContexts',
  42: 'learningSelection',
  43: 'learningProposals',
  44: 'learningProcedures',
  45: 'learningAdmissions',
  46: 'learningEvidence',
};

/**
 * Written at any time: events of answered calls are stored within half a second, and stores that
 * servers share count them.
 */
export const ofTheirOwnTime: readonly unknown[] = [
  'auditHeads',
  'auditBlocks',
  'auditPostings',
  'tallySlots',
];

/** A copy of a stored entry. */
export interface StoredEntry {
  readonly subspace: string | undefined;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Returns all entries of a store. */
export async function allEntries(store: Store): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  await store.scan(({ key, value }) => {
    // The tenant id ends with a zero byte; the number of the subspace follows.
    const subspace = subspaces[key[key.indexOf(0) + 1] ?? 0];
    entries.push({ subspace, key: Uint8Array.from(key), value: Uint8Array.from(value) });
  });
  return entries;
}

/** Returns the entries that an action added or changed, without those of the audit log. */
export async function entriesMadeBy(
  store: Store,
  act: () => Promise<unknown>,
): Promise<StoredEntry[]> {
  const before = new Set((await allEntries(store)).map(textOf));
  await act();
  const after = await allEntries(store);
  const compared = after.filter(({ subspace }) => !ofTheirOwnTime.includes(subspace));
  return compared.filter((entry) => !before.has(textOf(entry)));
}

/** Replaces a value; returns a function that restores it. */
export async function overwrite(
  store: Store,
  key: Uint8Array,
  value: Uint8Array | undefined,
): Promise<() => Promise<void>> {
  const before = await store.read((tx) => {
    const found = tx.get(key);
    return found === undefined ? undefined : Uint8Array.from(found);
  });
  const set = (bytes: Uint8Array | undefined) =>
    store.transact((tx) => {
      if (bytes === undefined) tx.remove(key);
      else tx.put(key, bytes);
    });
  await set(value);
  return () => set(before);
}

/**
 * Changes the stored version or the last byte of the content; returns a function that restores it.
 */
export async function damage(
  store: Store,
  key: Uint8Array,
  at: 'version' | 'content',
): Promise<() => Promise<void>> {
  const value = await store.read((tx) => Uint8Array.from(tx.get(key) ?? []));
  const place = at === 'version' ? 0 : value.length - 1;
  value[place] = (value[place] ?? 0) ^ 0x40;
  return overwrite(store, key, value);
}

function textOf({ key, value }: StoredEntry): string {
  return `${Buffer.from(key).toString('hex')}=${Buffer.from(value).toString('hex')}`;
}
