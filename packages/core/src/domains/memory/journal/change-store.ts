/**
 * The stored changes of memory, in the order of commits, and the participant that announces them.
 * Every memory command appends one, so their stored form is binary and small.
 */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { keyText } from '../../../storage/store/bytes.js';
import { defineFamily } from '../../../storage/store/family.js';
import { uuidAt, writeUuid } from '../../../storage/store/key.js';
import type { Participant } from '../../../storage/store/participant.js';
import { AppendedFamily, FIRST_POSITION } from '../../../storage/store/position.js';
import { POSITION_BYTES, type ReadTx, type WriteTx } from '../../../storage/store/store.js';
import type { ValueLayout } from '../../../storage/store/value.js';
import type { KeyedProposal } from '../branch/proposal-store.js';
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
const changeLayout: ValueLayout<StoredChange> = {
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

/** Changes of memory, by the position that the store gives them. */
export const memoryChanges = new AppendedFamily({
  name: 'memoryChanges',
  number: 66,
  key: [],
  layout: changeLayout,
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'digested',
  counts: null,
  traces: { isOf: 'others' },
});

/** A position as it is. */
const positionLayout: ValueLayout<Uint8Array> = {
  version: 1,
  encode: (position, before, behind) => {
    const bytes = Buffer.allocUnsafe(before + POSITION_BYTES + behind);
    bytes.set(position, before);
    return bytes;
  },
  decode: ({ bytes, start, end }) => Uint8Array.from(bytes.subarray(start, end)),
};

/** How far the changes of a tenant were removed: the greatest position of a removed change. */
export const memoryChangeFloors = defineFamily({
  name: 'memoryChangeFloors',
  number: 67,
  key: [],
  layout: positionLayout,
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
});

/** Appends the change of a command. */
export function appendChange(
  tx: WriteTx,
  { tenantId, digest }: Pick<Namespace, 'tenantId' | 'digest'>,
  { recordId, revision, action, committedAtMillis }: Omit<StoredChange, 'digest'>,
): void {
  const change: StoredChange = { digest, recordId, revision, action, committedAtMillis };
  memoryChanges.append(tx, change, tenantId);
  noteMemoryChange(tx, tenantId);
}

/** Appends what happened to a proposal, with its id in place of that of a record. */
export function appendProposalChange(
  tx: WriteTx,
  tenantId: string,
  { id, state, decidedAtMillis, proposedAtMillis }: KeyedProposal,
): void {
  const committedAtMillis = decidedAtMillis ?? proposedAtMillis;
  const change = { recordId: id, revision: 1, action: state, committedAtMillis };
  appendChange(tx, { tenantId, digest: OF_PROPOSALS }, change);
}

/** A stored change with its position. */
export interface PositionedChange extends StoredChange {
  readonly position: Uint8Array;
}

/** Returns the revision that stood before a change; 0 for none. An import creates any revision. */
export function revisionBefore({
  action,
  revision,
}: Pick<StoredChange, 'action' | 'revision'>): number {
  return action === 'created' ? 0 : revision - 1;
}

/** Some changes: those between two positions, `from` inclusive and `to` exclusive. */
export interface ChangeSpan {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly limit: number;
  /** Whether the last ones come first. */
  readonly reverse?: boolean;
}

/** Returns the changes of a tenant in a span. */
export function changesBetween(tx: ReadTx, tenantId: string, span: ChangeSpan): PositionedChange[] {
  const rows = memoryChanges.rows(tx, tenantId, { prefix: [], ...span });
  return Array.from(rows, ({ position, value }) => ({
    ...value,
    position: Uint8Array.from(position),
  }));
}

/**
 * Returns an object that stays the same until a change of a tenant is committed or removed;
 * `undefined` where the store may change unseen.
 */
export function journalMark(tx: ReadTx, tenantId: string): object | undefined {
  return memoryChanges.mark(tx, tenantId);
}

/** Returns the greatest position of a removed change, or `undefined`. */
export function floorOf(tx: ReadTx, tenantId: string): Uint8Array | undefined {
  return memoryChangeFloors.get(tx, tenantId);
}

/** Removes changes, which are the first ones of the tenant. */
export function removeChanges(
  tx: WriteTx,
  tenantId: string,
  positions: readonly Uint8Array[],
): void {
  let floor: Uint8Array = memoryChangeFloors.get(tx, tenantId) ?? FIRST_POSITION;
  for (const position of positions) {
    tx.remove(memoryChanges.keyOf(tenantId, [], position));
    if (Buffer.compare(position, floor) > 0) floor = position;
  }
  memoryChangeFloors.put(tx, floor, tenantId);
}

/** Returns the tenant part of the key of a change, or `undefined` for any other key. */
export function tenantOfChangeKey(key: string): string | undefined {
  const end = key.indexOf('\0');
  const isChange = key.charCodeAt(end + 1) === memoryChanges.number;
  return isChange && end > 0 ? key.slice(0, end) : undefined;
}

/** Returns the tenant part of the keys of a tenant, as {@link tenantOfChangeKey} returns it. */
export function tenantPartOf(tenantId: string): string {
  const text = keyText(memoryChangeFloors.keyOf(tenantId));
  return text.slice(0, text.indexOf('\0'));
}

class MemoryChange {
  readonly tenantId: string;

  constructor(tenantId: string) {
    this.tenantId = tenantId;
  }
}

/** Notes that a body appends a change of the memory of a tenant. */
function noteMemoryChange(tx: WriteTx, tenantId: string): void {
  tx.notes.push(new MemoryChange(tenantId));
}

/**
 * Returns the participant that calls back with the tenant of each change, after its commit. It
 * works for every store, as it needs to see the commits of this process only.
 */
export function tellChanges(tell: (tenantId: string) => void): Participant<void> {
  return {
    settle: ({ notes }) =>
      notes.flatMap((note) => (note instanceof MemoryChange ? [note.tenantId] : [])),
    committed: (tenants) => {
      for (const tenantId of new Set(tenants as readonly string[])) tell(tenantId);
    },
  };
}
