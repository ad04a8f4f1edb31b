/** One slice of turning a plain store into a sealed one. */
import { copyBytes } from '../store/bytes.js';
import { afterKey } from '../store/key.js';
import type { WriteTx } from '../store/store.js';
import { isSealed } from './sealed-value.js';
import type { SealedFamilies } from './sealed-families.js';
import { putSealingState, sealingState } from './tenant-marks.js';

/** Entries that one slice looks at. */
const SLICE_ENTRIES = 128;
/** Bytes of values after which a slice seals no more. */
const SLICE_BYTES = 1_048_576;
/** Above all keys, because no tenant begins with it. */
const END = Buffer.of(0xff);

/**
 * Seals plain entries behind those of the slice before; returns whether there are none left. `tx`
 * is below the sealing, `sealed` above it.
 */
export function sealNext(
  tx: WriteTx,
  sealed: WriteTx,
  { keys, families }: { readonly keys: string; readonly families: SealedFamilies },
): boolean {
  const state = sealingState(tx) ?? { keys, isComplete: false };
  if (state.isComplete) return true;
  const from = Buffer.from(state.after ?? '', 'base64url');
  const entries: { key: Uint8Array; value: Uint8Array }[] = [];
  let bytes = 0;
  let last: Uint8Array | undefined;
  let count = 0;
  for (const { key, value } of tx.range({ from, to: END, limit: SLICE_ENTRIES })) {
    count += 1;
    last = copyBytes(key);
    if (families.of(key) !== undefined && !isSealed(value)) {
      entries.push({ key: last, value: copyBytes(value) });
      bytes += value.length;
    }
    if (bytes >= SLICE_BYTES) break;
  }
  for (const { key, value } of entries) sealed.put(key, value);
  const isComplete = count < SLICE_ENTRIES && bytes < SLICE_BYTES;
  const after = last === undefined ? from : afterKey(last);
  putSealingState(tx, {
    keys,
    isComplete,
    ...(isComplete ? {} : { after: Buffer.from(after).toString('base64url') }),
  });
  return isComplete;
}
