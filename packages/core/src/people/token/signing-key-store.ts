/**
 * The signing key that a store made for itself, kept in it, so that every process and every copy of
 * the store has the same one.
 * @module
 */
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';

/** A stored key pair; secret. */
export interface StoredSigningKey {
  /** Thumbprint of the public half. */
  readonly kid: string;
  /** The private half as PKCS #8, in base64. */
  readonly pkcs8: string;
  readonly createdAtMillis: number;
}

const signingKeys = new Subspace(
  keyspace.signingKeys,
  fieldsLayout<StoredSigningKey, [kid: string, pkcs8: string, createdAtMillis: number]>(
    1,
    (it) => [it.kid, it.pkcs8, it.createdAtMillis],
    ([kid, pkcs8, createdAtMillis]) => ({ kid, pkcs8, createdAtMillis }),
  ),
);

/** The subspaces of signing keys, by their names in the key space. */
export const signingKeySubspaces = { signingKeys };

/** The key with this thumbprint, if it is stored. */
export function findSigningKey(tx: ReadTx, kid: string): StoredSigningKey | undefined {
  return signingKeys.get(tx, INSTALLATION, kid);
}

/** The stored key, if one was made. */
export function firstSigningKey(tx: ReadTx): StoredSigningKey | undefined {
  const [first] = signingKeys.rows(tx, INSTALLATION, { prefix: [], limit: 1 });
  return first?.value;
}

/** Stores a key unless there is one, and gives back the one that is stored then. */
export function agreeOnSigningKey(tx: WriteTx, made: StoredSigningKey): StoredSigningKey {
  const present = firstSigningKey(tx);
  if (present !== undefined) return present;
  signingKeys.put(tx, made, INSTALLATION, made.kid);
  return made;
}
