/**
 * Names the members in which a command differs from the one that used its idempotency key before
 * (docs/contract/memory.md#mem-102). Its receipt and the revision that it made tell what that was,
 * so no command stores anything for it.
 */
import type { Namespace } from '../../../kernel/access/namespace.js';
import {
  MEMBERS_MAX,
  type RefusedMember,
  hasCode,
} from '../../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../../storage/store/store.js';
import {
  contentNormalForms,
  differingNames,
  payloadNormalForms,
} from '../documents/normal-form.js';
import type { GivenPayload, MemoryChange } from '../documents/schema.js';
import type { StoredBatchReceipt } from '../record/receipt-store.js';
import type { StoredRecord } from '../record/record-layout.js';
import { endOfNew } from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';
import { readRevision } from '../revision/read-revision.js';
import type { Outcome } from './memory-write.js';

const EXPECTED = 'what the first command with this key had';

/** A change that is refused, and the namespace that it names. */
export interface RefusedChange {
  readonly namespace: Namespace;
  readonly operation: MemoryChange;
}

/** Names what differs from the command of a receipt, as far as the store still tells it. */
export function differingMembers(
  tx: ReadTx,
  change: RefusedChange,
  first: Outcome,
  nowMs: number,
): RefusedMember[] {
  return namesOf(tx, change, first, nowMs).map((name) => memberAt(`operation.${name}`));
}

/** Names what differs from the batch of a receipt: at most the first 16 members. */
export function differingInBatch(
  tx: ReadTx,
  changes: readonly RefusedChange[],
  { outcomes, committedAtMillis }: StoredBatchReceipt,
  nowMs: number,
): RefusedMember[] {
  if (changes.length !== outcomes.length) return [memberAt('commands')];
  const members: RefusedMember[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const change = changes[index];
    if (change === undefined || members.length >= MEMBERS_MAX) break;
    const names = namesOf(tx, change, { ...outcome, committedAtMillis }, nowMs);
    members.push(...names.map((name) => memberAt(`commands[${index}].operation.${name}`)));
  }
  return members;
}

function memberAt(path: string): RefusedMember {
  return { path, expected: EXPECTED };
}

function namesOf(
  tx: ReadTx,
  { namespace, operation }: RefusedChange,
  first: Outcome,
  nowMs: number,
): string[] {
  const made = 'record' in operation ? revisionMade(tx, namespace, first, nowMs) : undefined;
  if (!possibleTypes(first.action, made).includes(operation.type)) return ['type'];
  const names = namesOfTarget(operation, first, made);
  const payload = made?.payload ?? null;
  if (!('record' in operation) || payload === null) return names;
  const { event_time_millis: time, valid_until_millis: end } = operation.record;
  const isDefaultEnd =
    end === null &&
    first.action === 'created' &&
    endOfNew(retentionOf(tx, namespace), first.committedAtMillis) === payload.valid_until_millis;
  const sent: GivenPayload = {
    ...operation.record,
    event_time_millis: time ?? first.committedAtMillis,
    valid_until_millis: isDefaultEnd ? payload.valid_until_millis : end,
  };
  return [...names, ...namesOfPayload(sent, payload).map((name) => `record.${name}`)];
}

/** The revision that a command made, unless it is no longer kept. */
function revisionMade(
  tx: ReadTx,
  namespace: Namespace,
  { recordId, revision, action }: Outcome,
  nowMs: number,
): StoredRecord | undefined {
  if (action !== 'created' && action !== 'updated') return undefined;
  try {
    return readRevision(tx, { namespace, recordId }, revision, nowMs);
  } catch (error) {
    if (hasCode(error, 'record_not_found')) return undefined;
    throw error;
  }
}

/** The types of commands that may have had an outcome. */
function possibleTypes(
  action: Outcome['action'],
  made: StoredRecord | undefined,
): readonly MemoryChange['type'][] {
  switch (action) {
    case 'created':
      if (made === undefined) return ['create', 'put'];
      return made.name === null ? ['create'] : ['put'];
    case 'updated':
      return made?.name === null ? ['update'] : ['update', 'put'];
    case 'deleted':
      return ['delete', 'remove'];
    case 'restored':
      return ['restore'];
    case 'redacted':
      return ['redact'];
  }
}

/** Compares the members that say which record and revision a command is for. */
function namesOfTarget(
  operation: MemoryChange,
  { recordId, revision }: Outcome,
  made: StoredRecord | undefined,
): string[] {
  const names: string[] = [];
  if ('record_id' in operation && operation.record_id !== recordId) names.push('record_id');
  if ('name' in operation && made !== undefined && operation.name !== made.name) names.push('name');
  if (operation.type === 'redact' && operation.revision !== revision) names.push('revision');
  // By name, null and 0 fit several outcomes.
  const expected = 'expected_revision' in operation ? operation.expected_revision : null;
  const isTold = expected !== null && (expected !== 0 || 'record_id' in operation);
  if (isTold && expected !== revision - 1) names.push('expected_revision');
  return names;
}

function namesOfPayload(sent: GivenPayload, made: GivenPayload): string[] {
  return differingNames(payloadNormalForms, sent, made).flatMap((name) =>
    name === 'content'
      ? differingNames(contentNormalForms, sent.content, made.content).map(
          (each) => `content.${each}`,
        )
      : [name],
  );
}
