/** The stored form of changes. Every memory command appends one, so it is binary and small. */
import { uuidAt, writeUuid } from '../../../storage/store/key.js';
import type { ValueLayout } from '../../../storage/store/value.js';
import type { ProposalState } from '../documents/proposal-schema.js';
import { ACTIONS, type StoredReceipt } from '../record/receipt-store.js';

/** What a stored change says: what was done to a record, or what happened to a proposal. */
export type ChangeAction = StoredReceipt['action'] | ProposalState;

/** A stored change of memory. It has neither content nor names. */
export interface StoredChange extends Pick<
  StoredReceipt,
  'recordId' | 'revision' | 'committedAtMillis'
> {
  readonly action: ChangeAction;
  /** The digest of the namespace that the record is in. */
  readonly digest: Uint8Array;
}

/** The actions, in the order of their stored numbers. */
const CHANGE_ACTIONS: readonly ChangeAction[] = [...ACTIONS, 'proposed', 'merged', 'rejected'];

/** Returns whether an action is of a proposal. */
export function isProposalState(action: ChangeAction): action is ProposalState {
  return CHANGE_ACTIONS.indexOf(action) >= ACTIONS.length;
}

/** A change of a proposal has the digest of no namespace: readers of scopes pass over it. */
export const OF_PROPOSALS: Uint8Array = Buffer.alloc(32);

const DIGEST_AT = 1;
const RECORD_ID_AT = DIGEST_AT + 32;
const REVISION_AT = RECORD_ID_AT + 16;
const COMMITTED_AT = REVISION_AT + 6;
const SIZE = COMMITTED_AT + 6;

/** The layout of changes: all members at fixed offsets. */
export const changeLayout: ValueLayout<StoredChange> = {
  version: 1,
  encode: ({ action, digest, recordId, revision, committedAtMillis }, before, behind) => {
    const bytes = Buffer.allocUnsafe(before + SIZE + behind);
    bytes[before] = CHANGE_ACTIONS.indexOf(action);
    bytes.set(digest, before + DIGEST_AT);
    writeUuid(bytes, before + RECORD_ID_AT, recordId);
    bytes.writeUIntBE(revision, before + REVISION_AT, 6);
    bytes.writeUIntBE(committedAtMillis, before + COMMITTED_AT, 6);
    return bytes;
  },
  decode: ({ bytes, start, end }) => {
    const action = CHANGE_ACTIONS[bytes[start] ?? CHANGE_ACTIONS.length];
    if (end - start !== SIZE || action === undefined) throw new RangeError('No change.');
    return {
      action,
      digest: Uint8Array.from(bytes.subarray(start + DIGEST_AT, start + RECORD_ID_AT)),
      recordId: uuidAt(bytes, start + RECORD_ID_AT),
      revision: bytes.readUIntBE(start + REVISION_AT, 6),
      committedAtMillis: bytes.readUIntBE(start + COMMITTED_AT, 6),
    };
  },
};
