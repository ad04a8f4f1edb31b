/** The signing key of a store, kept in it, so that every process and every copy has the same. */
import { defineFamily } from '../../../storage/store/family.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { fieldsLayout, number, text, type ValueOf } from '../../../storage/store/fields.js';

const signingKeyLayout = fieldsLayout(1, {
  /** Thumbprint of the public half. */
  kid: text,
  /** The private half as PKCS #8, in base64. Secret. */
  pkcs8: text,
  createdAtMillis: number,
});

/** A stored key pair. */
export type StoredSigningKey = ValueOf<typeof signingKeyLayout>;

/** Installation: the key pair that signs tokens, by thumbprint. */
export const signingKeys = defineFamily({
  name: 'signingKeys',
  number: 22,
  key: ['text'],
  layout: signingKeyLayout,
  sealedBy: 'tenant',
  owner: 'installation',
  exported: { not: 'secret' },
  erased: 'kept',
  counts: null,
});

/** Returns the key with this thumbprint, or `undefined`. */
export function findSigningKey(tx: ReadTx, kid: string): StoredSigningKey | undefined {
  return signingKeys.get(tx, INSTALLATION, kid);
}

/** Returns the stored key, or `undefined`. */
export function firstSigningKey(tx: ReadTx): StoredSigningKey | undefined {
  const [first] = signingKeys.rows(tx, INSTALLATION, { prefix: [], limit: 1 });
  return first?.value;
}

/** Stores a key unless there is one. Returns the stored key. */
export function agreeOnSigningKey(tx: WriteTx, made: StoredSigningKey): StoredSigningKey {
  const present = firstSigningKey(tx);
  if (present !== undefined) return present;
  signingKeys.put(tx, made, INSTALLATION, made.kid);
  return made;
}
