/** What an import does with a line, and what lines of all kinds have in common there. */
import type { Namespace } from '../../kernel/access/namespace.js';
import type { ActingCredential } from '../../kernel/access/principal.js';
import { asBuffer } from '../../storage/store/bytes.js';
import { type Entry, KEY_BYTES_MAX, type ReadTx, type WriteTx } from '../../storage/store/store.js';
import type { ErasedSince } from '../erasure/erased-since.js';
import { IMPORT_VALUE_BYTES_MAX } from './import-limits.js';
import type { ProblemReason } from './problem-reasons.js';

/** What a line did, or would do. */
export type LineOutcome = 'stored' | 'unchanged' | ProblemReason;

/** Stores a line that is prepared already. */
export type StoreLine = (tx: WriteTx) => LineOutcome;

/** Who imports, where, and when. */
export interface Importing {
  readonly tenantId: string;
  readonly credential: ActingCredential;
  readonly nowMs: number;
  /** Says whether the scope of a source, by its digest, was erased since a revision stated it. */
  readonly isErasedSource: (tx: ReadTx, shown: string, statedAtMillis: number) => boolean;
  /** The scopes that lines named so far, by the digest that they show. */
  readonly scopes: Map<string, Namespace>;
  /** The branches that a dry run would have stored. */
  readonly rehearsed: Set<string>;
  /** What was erased, and when. */
  readonly erased: ErasedSince;
}

/** Returns whether an entry is within the bounds of the store. */
export function isStorable({ key, value }: Entry): boolean {
  return key.length <= KEY_BYTES_MAX && value.length <= IMPORT_VALUE_BYTES_MAX;
}

/** Returns the outcome for a key that has a value already, or `undefined`. */
export function knownAs(tx: WriteTx, { key, value }: Entry): LineOutcome | undefined {
  const known = tx.get(key);
  if (known === undefined) return undefined;
  return asBuffer(known).equals(value) ? 'unchanged' : 'conflict';
}
