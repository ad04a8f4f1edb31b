/**
 * Receipts of memory commands and batches in the store, and the keyed digests that an erasure
 * leaves of them, so that a late repetition is refused and does not bring back what was erased.
 * Every command stores one, so their form is binary. The key of a batch belongs to its subject, not
 * to a scope.
 */
import { hmacSha256 } from '../../../contract/digest.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import { eachAs, noteChange } from '../../../kernel/counts/counts.js';
import { defineFamily } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import { encodeKey, uuidAt, writeUuid } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  compactSize,
  readCompact,
  type ValueLayout,
  writeCompact,
} from '../../../storage/store/value.js';
import type { RecordAction } from '../documents/author-schema.js';

/** A stored receipt. Its subject and idempotency key are parts of its key. */
export interface StoredReceipt {
  /** SHA-256 of the command in normal form, in base64url. */
  readonly fingerprint: string;
  readonly recordId: string;
  readonly revision: number;
  readonly action: RecordAction;
  readonly committedAtMillis: number;
  readonly credentialId: string;
  /** Whether the command became a proposal, whatever was decided of it; absent for no. */
  readonly isProposed?: boolean;
}

/** The actions, in the order of their stored numbers. */
export const ACTIONS = [
  'created',
  'updated',
  'deleted',
  'restored',
  'redacted',
] as const satisfies readonly RecordAction[];

/** In the byte of an action: the command became a proposal. */
const IS_PROPOSED = 0x80;

/** Returns an action as one byte. */
function actionByte(action: RecordAction, isProposed = false): number {
  return ACTIONS.indexOf(action) | (isProposed ? IS_PROPOSED : 0);
}

/** Reads a byte of {@link actionByte}; no action for one that is none. */
function actionIn(byte: number | undefined): {
  readonly action: RecordAction | undefined;
  readonly isProposed: boolean;
} {
  const isProposed = byte !== undefined && (byte & IS_PROPOSED) !== 0;
  return { action: ACTIONS[(byte ?? ACTIONS.length) & ~IS_PROPOSED], isProposed };
}

/** Size of a stored fingerprint. */
const FINGERPRINT_BYTES = 32;
const RECORD_ID_AT = FINGERPRINT_BYTES;
const CREDENTIAL_ID_AT = RECORD_ID_AT + 16;
const ACTION_AT = CREDENTIAL_ID_AT + 16;
const NUMBERS_AT = ACTION_AT + 1;

/** The layout of receipts: ids and action at fixed offsets, then revision and time as integers. */
const receiptLayout: ValueLayout<StoredReceipt> = {
  version: 4,
  encode: (receipt, before, behind) => {
    const { revision, committedAtMillis } = receipt;
    const size = NUMBERS_AT + compactSize(revision) + compactSize(committedAtMillis);
    const bytes = Buffer.allocUnsafe(before + size + behind);
    bytes.write(receipt.fingerprint, before, FINGERPRINT_BYTES, 'base64url');
    writeUuid(bytes, before + RECORD_ID_AT, receipt.recordId);
    writeUuid(bytes, before + CREDENTIAL_ID_AT, receipt.credentialId);
    bytes[before + ACTION_AT] = actionByte(receipt.action, receipt.isProposed);
    const timeAt = writeCompact(bytes, before + NUMBERS_AT, revision);
    writeCompact(bytes, timeAt, committedAtMillis);
    return bytes;
  },
  decode: ({ bytes, start, end }) => {
    const revision = readCompact(bytes, start + NUMBERS_AT);
    const timeAt = start + NUMBERS_AT + compactSize(revision);
    const committedAtMillis = readCompact(bytes, timeAt);
    const { action, isProposed } = actionIn(bytes[start + ACTION_AT]);
    const isWhole = timeAt + compactSize(committedAtMillis) === end;
    if (!isWhole || action === undefined) throw new RangeError('No receipt.');
    return {
      fingerprint: bytes.toString('base64url', start, start + FINGERPRINT_BYTES),
      recordId: uuidAt(bytes, start + RECORD_ID_AT),
      revision,
      action,
      committedAtMillis,
      credentialId: uuidAt(bytes, start + CREDENTIAL_ID_AT),
      ...(isProposed ? { isProposed } : {}),
    };
  },
};

/** Receipts of memory commands, by namespace, subject and idempotency key. */
export const memoryReceipts = defineFamily({
  name: 'memoryReceipts',
  number: 8,
  key: ['digest', 'text', 'text'],
  layout: receiptLayout,
  sealedBy: 'namespace',
  digests: [1, 2],
  owner: 'scope',
  subjectAt: 1,
  exported: { not: 'receipt' },
  erased: 'digested',
  counts: eachAs('receipts'),
});

/** Returns the receipt under an idempotency key of a subject, or `undefined`. */
export function findReceipt(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  subjectId: string,
  idempotencyKey: string,
): StoredReceipt | undefined {
  return memoryReceipts.get(tx, tenantId, digest, subjectId, idempotencyKey);
}

/** Stores the receipt of a command. */
export function insertReceipt(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  command: { subjectId: string; idempotencyKey: string },
  receipt: StoredReceipt,
): void {
  const { subjectId, idempotencyKey } = command;
  const key = memoryReceipts.put(tx, receipt, tenantId, digest, subjectId, idempotencyKey);
  noteChange(tx, 'receipts', 1, key);
}

/** The outcome of one command of a batch. */
type StoredOutcome = Pick<StoredReceipt, 'recordId' | 'revision' | 'action'>;

/** A stored receipt of a batch. Its subject and idempotency key are parts of its key. */
export interface StoredBatchReceipt extends Pick<
  StoredReceipt,
  'fingerprint' | 'credentialId' | 'committedAtMillis' | 'isProposed'
> {
  /** One for each command, in their order. */
  readonly outcomes: readonly StoredOutcome[];
}

const BATCH_CREDENTIAL_ID_AT = FINGERPRINT_BYTES;
const BATCH_COMMITTED_AT = BATCH_CREDENTIAL_ID_AT + 16;
const OUTCOMES_AT = BATCH_COMMITTED_AT + 8;

/** Offsets in an outcome. */
const OUTCOME_ACTION_AT = 16;
const OUTCOME_REVISION_AT = OUTCOME_ACTION_AT + 1;
const OUTCOME_BYTES = OUTCOME_REVISION_AT + 8;

/** The layout of receipts of batches: members at fixed offsets, then the outcomes. */
const batchReceiptLayout: ValueLayout<StoredBatchReceipt> = {
  version: 2,
  encode: (receipt, before, behind) => {
    const { fingerprint, credentialId, committedAtMillis, outcomes, isProposed } = receipt;
    const size = OUTCOMES_AT + outcomes.length * OUTCOME_BYTES;
    const bytes = Buffer.allocUnsafe(before + size + behind);
    bytes.write(fingerprint, before, FINGERPRINT_BYTES, 'base64url');
    writeUuid(bytes, before + BATCH_CREDENTIAL_ID_AT, credentialId);
    bytes.writeDoubleBE(committedAtMillis, before + BATCH_COMMITTED_AT);
    let at = before + OUTCOMES_AT;
    for (const { recordId, action, revision } of outcomes) {
      writeUuid(bytes, at, recordId);
      bytes[at + OUTCOME_ACTION_AT] = actionByte(action, isProposed);
      bytes.writeDoubleBE(revision, at + OUTCOME_REVISION_AT);
      at += OUTCOME_BYTES;
    }
    return bytes;
  },
  decode: ({ bytes, start, end }) => {
    const outcomes: StoredOutcome[] = [];
    let isProposed = false;
    for (let at = start + OUTCOMES_AT; at < end; at += OUTCOME_BYTES) {
      const { action, ...read } = actionIn(bytes[at + OUTCOME_ACTION_AT]);
      if (at + OUTCOME_BYTES > end || action === undefined) throw new RangeError('No receipt.');
      ({ isProposed } = read);
      const revision = bytes.readDoubleBE(at + OUTCOME_REVISION_AT);
      outcomes.push({ recordId: uuidAt(bytes, at), revision, action });
    }
    return {
      fingerprint: bytes.toString('base64url', start, start + FINGERPRINT_BYTES),
      credentialId: uuidAt(bytes, start + BATCH_CREDENTIAL_ID_AT),
      committedAtMillis: bytes.readDoubleBE(start + BATCH_COMMITTED_AT),
      outcomes,
      ...(isProposed ? { isProposed } : {}),
    };
  },
};

/** Receipts of memory batches, by subject and idempotency key. */
export const memoryBatchReceipts = defineFamily({
  name: 'memoryBatchReceipts',
  number: 64,
  key: ['text', 'text'],
  layout: batchReceiptLayout,
  sealedBy: 'subject',
  digests: [0, 1],
  owner: 'subject',
  exported: { not: 'receipt' },
  erased: 'digested',
  counts: eachAs('receipts'),
});

/** The key of a batch. */
export interface BatchKey {
  readonly tenantId: string;
  readonly subjectId: string;
  readonly idempotencyKey: string;
}

/** Returns the receipt of a batch, or `undefined`. */
export function findBatchReceipt(
  tx: ReadTx,
  { tenantId, subjectId, idempotencyKey }: BatchKey,
): StoredBatchReceipt | undefined {
  return memoryBatchReceipts.get(tx, tenantId, subjectId, idempotencyKey);
}

/** Stores the receipt of a batch. */
export function insertBatchReceipt(
  tx: WriteTx,
  { tenantId, subjectId, idempotencyKey }: BatchKey,
  receipt: StoredBatchReceipt,
): void {
  const key = memoryBatchReceipts.put(tx, receipt, tenantId, subjectId, idempotencyKey);
  noteChange(tx, 'receipts', 1, key);
}

/** The key of the digests of erased receipts, which an erasure makes. */
export const erasedReceiptKeys = defineFamily({
  name: 'erasedReceiptKeys',
  number: 113,
  key: [],
  layout: jsonLayout<string>(1),
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { not: 'secret' },
  erased: 'kept',
  counts: null,
});

/** Commands whose receipts were erased, by keyed digest. */
export const erasedReceipts = defineFamily({
  name: 'erasedReceipts',
  number: 114,
  key: ['digest'],
  layout: jsonLayout<null>(1),
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'receipt' },
  erased: 'kept',
  counts: null,
});

/** What names a receipt in its tenant. The receipts of batches belong to no namespace. */
export interface ReceiptName {
  readonly namespace: Uint8Array | null;
  readonly subjectId: string;
  readonly idempotencyKey: string;
}

/**
 * Keeps the digest of the key of a receipt that is removed. Without a key of digests so far,
 * `newKey` becomes it.
 */
export function keepReceiptDigest(
  tx: WriteTx,
  tenantId: string,
  receiptKey: Uint8Array,
  newKey: string,
): void {
  let key = erasedReceiptKeys.get(tx, tenantId);
  if (key === undefined) {
    erasedReceiptKeys.put(tx, newKey, tenantId);
    key = newKey;
  }
  erasedReceipts.put(tx, null, tenantId, digestOf(key, storedKey(tx, receiptKey)));
}

/**
 * Refuses to repeat a command whose receipt was erased.
 *
 * @throws {AgentkeepError} `command_erased`
 */
export function refuseErasedCommand(tx: WriteTx, tenantId: string, name: ReceiptName): void {
  const key = erasedReceiptKeys.get(tx, tenantId);
  if (key === undefined) return;
  const receiptKey = receiptKeyOf(tenantId, name);
  // It may have been erased before the store was encrypted.
  const isErased = [receiptKey, storedKey(tx, receiptKey)].some((each) =>
    erasedReceipts.has(tx, tenantId, digestOf(key, each)),
  );
  if (isErased) throw new AgentkeepError('command_erased');
}

function receiptKeyOf(
  tenantId: string,
  { namespace, subjectId, idempotencyKey }: ReceiptName,
): Uint8Array {
  const { number, shape } = namespace === null ? memoryBatchReceipts : memoryReceipts;
  const ofNamespace = namespace === null ? [] : [namespace];
  return encodeKey(tenantId, number, shape, [...ofNamespace, subjectId, idempotencyKey]);
}

/** The key as it is stored, which is all that an erasure sees of it. */
function storedKey(tx: WriteTx, receiptKey: Uint8Array): Uint8Array {
  return tx.storedKey?.(receiptKey) ?? receiptKey;
}

function digestOf(key: string, receiptKey: Uint8Array): Uint8Array {
  return Buffer.from(hmacSha256(Buffer.from(key, 'base64url'))(receiptKey, 'hex'), 'hex');
}
