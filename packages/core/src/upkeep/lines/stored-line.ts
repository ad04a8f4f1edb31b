/**
 * Lines of exports, made of stored entries.
 *
 * Lines that show values as they are stored. The domain of a value says all of its line.
 */
import type * as v from 'valibot';
import type { Namespace } from '../../kernel/access/namespace.js';
import type { ActingCredential } from '../../kernel/access/principal.js';
import { asBuffer } from '../../storage/store/bytes.js';
import { textDigest } from '../../storage/store/key.js';
import { type Entry, KEY_BYTES_MAX, type ReadTx, type WriteTx } from '../../storage/store/store.js';
import type { ErasedSince } from '../erasure/erased-since.js';
import { IMPORT_VALUE_BYTES_MAX, type ProblemReason } from './import-limits.js';
import type { LineForm } from './line-schemas.js';

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

/** Stands for a part of a key that the value doesn't repeat. */
export const ANY: unique symbol = Symbol('any');

/** The parts of a key, as a line shows them. */
export type LineKey = readonly (string | number)[];

/** The parts of the key of a value, as far as the value says them. */
type ExpectedKey = readonly (string | number | typeof ANY)[];

/** Where a line is stored. */
export interface LineLocation {
  readonly tenantId: string;
  /** Absent for what the whole tenant has. */
  readonly namespace: Namespace | undefined;
}

/** A value to store. */
interface StoringLine<V> extends LineLocation {
  readonly key: LineKey;
  readonly value: V;
}

/** The revisions and times in a document. */
export interface Stated {
  readonly revisions?: readonly number[];
  readonly times?: readonly number[];
}

/** A line that shows a value as it is stored. */
export interface PlainLine<V = unknown> {
  /** Its member `line`, by which a family states that it is exported in it. */
  readonly name: string;
  readonly form: LineForm;
  /** A value is stored as it was sent, once it matches. */
  readonly schema: v.GenericSchema;
  /** Returns the key of a value. */
  keyOf(value: V): ExpectedKey;
  /** Whether the parts of a key are good that the value doesn't repeat. */
  isKey?(key: LineKey): boolean;
  /** Returns the revisions and times that the schema doesn't bound. */
  statedIn?(value: V): Stated;
  /** Whether a line leaves the tenant of its value out, as that of the import takes its place. */
  readonly isOfAnyTenant?: true;
  /** Returns the tenant that is part of the digests of a value. */
  tenantIn?(value: V): string;
  /** Returns the definitions of the tenant that a value refers to, each by its family and id. */
  refersTo?(value: V): readonly (readonly [family: string, id: string])[];
  /** Whether what a value refers to is stored, as it is where a command made the value. */
  isDefined?(tx: WriteTx, storing: StoringLine<V>): boolean;
  /** Whether a value may take the place of what is stored under its key. */
  mayReplace?(tx: WriteTx, entry: Entry): boolean;
  /** Stores what is derived from a value that was stored. */
  derive?(tx: WriteTx, storing: StoringLine<V>): void;
}

/** Shows the digest of a text as keys of lines do. */
export function shownDigest(text: string): string {
  return asBuffer(textDigest(text)).toString('base64url');
}
