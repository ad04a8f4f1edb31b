/**
 * The normal form of a change, which decides whether two commands are the same
 * (docs/contract/memory.md#mem-36): defaults are filled in, ids are lower case, embeddings are
 * 32-bit floats, and the order of members does not matter.
 */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { sha256Stream, sha256Text } from '../../../contract/digest.js';
import {
  appendMembers,
  asItIs,
  type NormalForm,
  type NormalForms,
  type NormalValue,
} from './normal-value.js';
import { payloadNormalForms } from './payload-members.js';
import type { Dependents } from './lineage-schema.js';
import type { GivenPayload, MemoryChange } from './schema.js';

/** The members of each kind of change; a kind or member that is missing does not compile. */
export type ChangeForms<C extends { readonly type: string }> = {
  readonly [Each in C as Each['type']]: NormalForms<Omit<Each, 'type'>>;
};

const record: NormalForm<GivenPayload> = (payload, list) => {
  appendMembers(payloadNormalForms, payload, list);
};

/** Nothing where it isn't stated, so that the fingerprints of earlier commands stay. */
const dependents: NormalForm<Dependents | undefined> = (wanted, list) => {
  if (wanted !== undefined) list.push(['dependents', wanted]);
};

/** Stored receipts hold fingerprints in this order. */
export const changeForms: ChangeForms<MemoryChange> = {
  create: { record },
  update: { record_id: asItIs, expected_revision: asItIs, record },
  delete: { record_id: asItIs, expected_revision: asItIs, dependents },
  put: { name: asItIs, expected_revision: asItIs, record },
  remove: { name: asItIs, expected_revision: asItIs, dependents },
  restore: { record_id: asItIs, revision: asItIs, expected_revision: asItIs },
  redact: { record_id: asItIs, revision: asItIs, dependents },
};

/** Digest of a change in normal form. Scope and idempotency key are parts of a receipt's key. */
export function fingerprintOf(change: MemoryChange): string {
  return sha256Text(JSON.stringify(normalFormOf(change)), 'base64url');
}

/**
 * Digest of the commands of a batch in normal form, in their order. The idempotency key is a part
 * of the key of a receipt.
 */
export class BatchFingerprint {
  readonly #stream = sha256Stream();

  /** Adds the next command; returns the length of its normal form, in UTF-16 units. */
  add({ parts }: Namespace, change: MemoryChange): number {
    const text = JSON.stringify([parts, normalFormOf(change)]);
    this.#stream.update(text);
    return text.length;
  }

  /** Returns the digest; no command may follow. */
  digest(): string {
    return this.#stream.digestText('base64url');
  }
}

function normalFormOf(change: MemoryChange): NormalValue[] {
  const list: NormalValue[] = [change.type];
  // The compiler cannot see that form and change are of the same kind.
  const forms = changeForms[change.type] as NormalForms<MemoryChange>;
  appendMembers<MemoryChange>(forms, change, list);
  return list;
}
