/**
 * The normal form of a change, which decides whether two commands are the same
 * (docs/contract/memory.md#mem-36): defaults are filled in, ids are lower case, embeddings are
 * 32-bit floats, and the order of members does not matter.
 */
import type { Namespace } from '../access/namespace.js';
import { sha256Text } from '../contract/digest.js';
import {
  appendMembers,
  asItIs,
  type NormalForm,
  type NormalForms,
  type NormalValue,
} from './normal-value.js';
import { payloadNormalForms } from './payload-members.js';
import type { MemoryChange, RecordPayload } from './schema.js';

/** The members of each kind of change; a kind or member that is missing does not compile. */
export type ChangeForms<C extends { readonly type: string }> = {
  readonly [Each in C as Each['type']]: NormalForms<Omit<Each, 'type'>>;
};

const record: NormalForm<RecordPayload> = (payload, list) => {
  appendMembers(payloadNormalForms, payload, list);
};

/** Stored receipts hold fingerprints in this order. */
export const changeForms: ChangeForms<MemoryChange> = {
  create: { record },
  update: { record_id: asItIs, expected_revision: asItIs, record },
  delete: { record_id: asItIs, expected_revision: asItIs },
  put: { name: asItIs, expected_revision: asItIs, record },
  remove: { name: asItIs, expected_revision: asItIs },
};

/** Digest of a change in normal form. Scope and idempotency key are parts of a receipt's key. */
export function fingerprintOf(change: MemoryChange): string {
  return digestOf(normalFormOf(change));
}

/** A command of a batch: its change, and where it takes place. */
export interface PlacedChange {
  readonly namespace: Namespace;
  readonly change: MemoryChange;
}

/** Digest of the commands of a batch in normal form. The idempotency key is a part of its key. */
export function fingerprintOfBatch(commands: readonly PlacedChange[]): string {
  return digestOf(commands.map(({ namespace, change }) => [namespace.parts, normalFormOf(change)]));
}

function normalFormOf(change: MemoryChange): NormalValue[] {
  const list: NormalValue[] = [change.type];
  // The compiler cannot see that form and change are of the same kind.
  const forms = changeForms[change.type] as NormalForms<MemoryChange>;
  appendMembers<MemoryChange>(forms, change, list);
  return list;
}

function digestOf(list: readonly NormalValue[]): string {
  return sha256Text(JSON.stringify(list), 'base64url');
}
