/** Opens the sealing of a store, or refuses a store and keys that do not belong together. */
import { resolve, sep } from 'node:path';
import type { SealedFamilies } from '../sealing/sealed-families.js';
import { SealedStore } from '../sealing/sealed-store.js';
import type { KeySource } from '../sealing/key-source.js';
import type { SealingProgress } from '../sealing/sealed-tx.js';
import { KeyRing } from '../sealing/key-ring.js';
import { putSealingState, sealingState, TenantMarks } from '../sealing/tenant-marks.js';
import type { Store } from '../store/store.js';
import { KeyDirectory } from './key-directory.js';
import { openRootKey, type RootKeyOptions, unusableKeys } from './root-key.js';

/** How a store is sealed. */
export interface EncryptionOptions {
  /** The directory of keys, outside the data. Servers of one database share it. */
  readonly keysDir: string;
  /** The key that wraps the others. */
  readonly rootKey: RootKeyOptions;
}

/** What else sealing needs. */
export interface SealingParts {
  /** Those of everything that is stored. */
  readonly families: SealedFamilies;
  readonly dataDir: string | undefined;
  readonly now: () => number;
}

/** A sealed store that may still have plain entries. */
export interface OpenedSealing {
  readonly store: SealedStore;
  readonly source: KeySource;
  /** Seals some plain entries; returns whether all are sealed. */
  readonly sealSlice: () => Promise<boolean>;
}

/**
 * Refuses a sealed store that is opened without keys.
 *
 * @throws {AgentkeepError} `keys_unusable`
 */
export async function refuseSealed(store: Store): Promise<void> {
  if ((await store.read(sealingState)) === undefined) return;
  throw unusableKeys('This store is encrypted. Start with its directory of keys and its root key.');
}

/**
 * Returns a store as it is to be read: with its keys if it is encrypted. Closing the result closes
 * the store too.
 *
 * @throws {AgentkeepError} `keys_unusable` if it is encrypted and the keys are not given.
 */
export async function readable(
  store: Store,
  encryption: EncryptionOptions | undefined,
  families: SealedFamilies,
): Promise<Store> {
  if (encryption === undefined) await refuseSealed(store);
  if (encryption === undefined || (await store.read(sealingState)) === undefined) return store;
  const parts = { families, dataDir: undefined, now: Date.now };
  return (await openSealed(store, encryption, parts)).store;
}

/**
 * Opens a store with its keys.
 *
 * @throws {AgentkeepError} `keys_unusable` if the root key is wrong or missing, or if the store was
 * sealed with other keys; `invalid_request` if the keys lie inside the data.
 */
export async function openSealed(
  store: Store,
  { keysDir, rootKey }: EncryptionOptions,
  { families, dataDir, now }: SealingParts,
): Promise<OpenedSealing> {
  if (dataDir !== undefined && liesIn(keysDir, dataDir)) {
    throw unusableKeys(
      `The directory of keys ${keysDir} lies in the data directory, whose copies would have the ` +
        'keys in them. Move it elsewhere.',
    );
  }
  const source = await KeyDirectory.open(keysDir, await openRootKey(rootKey));
  try {
    const state = await store.read(sealingState);
    if (state !== undefined && state.keys !== source.id) {
      throw unusableKeys(`The store was encrypted with other keys than those in ${keysDir}.`);
    }
    const keys = source.id;
    // Before the first sealed value, so that no start without keys takes it for damage.
    if (state === undefined) {
      await store.transact((tx) => {
        putSealingState(tx, { keys, isComplete: false });
      });
    }
    const progress: SealingProgress = { isComplete: state?.isComplete === true };
    const ring = new KeyRing({ source, marks: new TenantMarks(store), now });
    const sealed = new SealedStore(store, { ring, progress, families });
    const sealSlice = async (): Promise<boolean> => {
      progress.isComplete ||= await sealed.sealSlice(keys);
      return progress.isComplete;
    };
    return { store: sealed, source, sealSlice };
  } catch (error) {
    await source.close();
    throw error;
  }
}

function liesIn(inner: string, outer: string): boolean {
  return `${resolve(inner)}${sep}`.startsWith(`${resolve(outer)}${sep}`);
}
