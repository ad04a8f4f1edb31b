/** Takes away what was derived from erased memory (docs/contract/lineage.md#lin-15). */
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import { hasCode } from '../../../contract/errors/agentkeep-error.js';
import type { NewId } from '../../../kernel/ports/ids.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Author } from '../documents/author-schema.js';
import type { RevisedKey } from '../record/keyed-record.js';
import { findRecord } from '../record/memory-store.js';
import { readRevision } from '../revision/read-revision.js';
import { type Outcome, storeWrite } from '../writing/memory-write.js';
import { writeOf } from '../writing/change-write.js';

/** Who erases, and when. */
export interface Eraser {
  readonly author: Author;
  /** Stands where the key of a command would. */
  readonly idempotencyKey: string;
  readonly newId: NewId;
  readonly nowMs: number;
}

/** A change that an erasure made. */
export interface Erased extends Outcome {
  readonly scope: MemoryScope;
}

/** Returns whether a revision is current or old; `undefined` if its content is gone. */
export function isErasable(
  tx: ReadTx,
  namespace: Namespace,
  { recordId, revision }: RevisedKey,
  nowMs: number,
): 'current' | 'old' | undefined {
  try {
    readRevision(tx, { namespace, recordId }, revision, nowMs);
  } catch (error) {
    if (hasCode(error, 'record_not_found')) return undefined;
    throw error;
  }
  return findRecord(tx, namespace, recordId)?.revision === revision ? 'current' : 'old';
}

/**
 * Takes the content of a revision away: deletes its record if it is current, and redacts it if it
 * is kept as an old one.
 */
export function erase(
  tx: WriteTx,
  namespace: Namespace,
  { recordId, revision }: RevisedKey,
  eraser: Eraser,
): Erased[] {
  const context = { namespace, ...eraser };
  const scope = scopeOfParts(namespace.parts);
  const erased: Erased[] = [];
  const run = (change: Parameters<typeof writeOf>[0]): void => {
    erased.push({ scope, ...storeWrite(tx, namespace, writeOf(change, context)(tx), []) });
  };
  const of = { record_id: recordId };
  if (isErasable(tx, namespace, { ...namespace, recordId, revision }, eraser.nowMs) === 'current') {
    run({ type: 'delete', ...of, expected_revision: revision });
  }
  // The tenant may keep the content of deleted records for a while.
  if (isErasable(tx, namespace, { ...namespace, recordId, revision }, eraser.nowMs) === 'old') {
    run({ type: 'redact', ...of, revision });
  }
  return erased;
}
