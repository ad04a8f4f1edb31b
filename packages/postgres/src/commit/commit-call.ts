/**
 * The calls that commit a batch, with their values.
 */
import { afterKey, keyBytes, sha256 } from '@agentkeep/core/store';
import type { Batch } from './batch.js';
import { bigintArray, byteaArray } from '../database/binary-array.js';
import type { CommitPlan } from './commit-plan.js';
import type { Call } from '../database/database.js';
import type { LockId } from '../locks/lock-ids.js';
import { lockParameters } from '../locks/locking.js';
import type { Statements } from '../database/statements.js';
import type { Walk } from '../guesses/trace.js';

/** Returns the single call that locks, checks what was read, writes and commits. */
export function commitCall(
  statements: Statements,
  batch: Batch,
  plan: CommitPlan,
  { locks, lockTimeoutMs }: { readonly locks: readonly LockId[]; readonly lockTimeoutMs: number },
): Call {
  const walks = [...batch.trace.walks.values()].map(boundsOf);
  const points = [...batch.trace.points];
  return {
    statement: statements.commit,
    values: [
      ...marksOf(plan),
      `${String(lockTimeoutMs)}ms`,
      ...lockParameters(locks),
      byteaArray(points.map(([text]) => keyBytes(text))),
      bigintArray(points.map(([, { revision }]) => revision)),
      byteaArray(walks.map(({ low }) => low)),
      byteaArray(walks.map(({ high }) => high)),
      byteaArray(walks.map(({ digest }) => digest)),
      ...putParameters(plan),
      byteaArray(plan.removed.map(keyBytes)),
      ...appendParameters(plan),
    ],
  };
}

/** Returns the calls that write inside a transaction that already holds its locks. */
export function writeCalls(statements: Statements, plan: CommitPlan): Call[] {
  const calls: Call[] = [];
  if (plan.removed.length > 0) {
    const keys = byteaArray(plan.removed.map(keyBytes));
    calls.push({ statement: statements.remove, values: [keys] });
  }
  if (plan.puts.length > 0) {
    calls.push({ statement: statements.put, values: [...putParameters(plan), String(plan.mark)] });
  }
  if (plan.appended.length > 0) {
    const values = [...appendParameters(plan), String(plan.mark)];
    calls.push({ statement: statements.append, values });
  }
  return [...calls, { statement: statements.advance, values: marksOf(plan) }];
}

function marksOf({ lane, mark }: CommitPlan): [lane: string, before: string, now: string] {
  return [String(lane.id), String(lane.mark), String(mark)];
}

function putParameters({ puts }: CommitPlan): [keys: Buffer, values: Buffer] {
  return [
    byteaArray(puts.map(([text]) => keyBytes(text))),
    byteaArray(puts.map(([, value]) => value)),
  ];
}

function appendParameters({ appended }: CommitPlan): [prefixes: Buffer, values: Buffer] {
  return [
    byteaArray(appended.map(({ prefix }) => prefix)),
    byteaArray(appended.map(({ value }) => value)),
  ];
}

/** Returns the part of a span that was read, and a digest of the entries in it. */
function boundsOf({ span, count, isWhole }: Walk) {
  const seen = span.entries.slice(0, count);
  const last = seen.at(-1);
  let { from: low, to: high } = span;
  if (!isWhole && last === undefined) high = low;
  else if (!isWhole && last !== undefined) {
    if (span.isReverse) low = Buffer.from(keyBytes(last.text));
    else high = Buffer.from(afterKey(keyBytes(last.text)));
  }
  if (span.isReverse) seen.reverse();
  const text = seen.map(
    ({ text: key, revision }) =>
      `${Buffer.from(key, 'latin1').toString('hex')}:${String(revision)}`,
  );
  return { low, high, digest: sha256(text.join(',')) };
}
