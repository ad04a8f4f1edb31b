/** A stored value, with the value written and the value read. */
import type { KeyShape, KeyTuple } from '../../src/storage/store/key.js';
import { type AppendedFamily, FIRST_POSITION } from '../../src/storage/store/position.js';
import type { Subspace } from '../../src/storage/store/subspace.js';

/** The stored bytes of a value under its key, and the value that reading returns. */
export interface Sample {
  readonly sealed: Uint8Array;
  readonly written: unknown;
  readonly read: unknown;
  /** Reads other bytes under the same key. */
  readonly open: (sealed: Uint8Array) => unknown;
}

/** Seals a value and reads it again. */
export const sample = <const S extends KeyShape, W, R>(
  subspace: Subspace<S, W, R>,
  written: W,
  tenant: string,
  ...parts: KeyTuple<S>
): Sample => {
  const { key, value: sealed } = subspace.seal(written, tenant, ...parts);
  const open = (bytes: Uint8Array): R => subspace.open(key, bytes);
  return { sealed, written, read: open(sealed), open };
};

/** As {@link sample}, for an appended value. */
export const appendedSample = <const S extends KeyShape, V>(
  subspace: AppendedFamily<string, S, V>,
  written: V,
  tenant: string,
  ...prefix: KeyTuple<S>
): Sample => {
  const { value: sealed } = subspace.seal(written, tenant, ...prefix);
  const key = subspace.keyOf(tenant, prefix, FIRST_POSITION);
  const open = (bytes: Uint8Array): V => subspace.open(key, bytes);
  return { sealed, written, read: open(sealed), open };
};
