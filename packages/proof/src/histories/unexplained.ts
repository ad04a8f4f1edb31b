/**
 * Checks a history object by object (record, key, credential), because a history is linearizable if
 * each of its objects is.
 */
import type { ErrorCode } from '@agentkeep/core';
import type { Call } from './call.js';
import { observedCredentials } from './observed-credentials.js';
import { observedEffects, observedKeys } from './observed-keys.js';
import { observedNames } from './observed-names.js';
import { observedRecords } from './observed-records.js';
import type { Observed } from './observed.js';
import { revocationsIn } from './timing.js';

/** Errors that requests of a history can get. */
const EXPECTED: ReadonlySet<ErrorCode> = new Set([
  'revision_conflict',
  'record_not_found',
  'current_revision',
  'idempotency_conflict',
  'unauthorized',
]);

/** Returns the objects of a history that cannot be explained. */
export function unexplained(calls: readonly Call[]): Observed[] {
  const revocations = revocationsIn(calls);
  const all = [
    ...observedRecords(calls, revocations),
    ...observedNames(calls, revocations),
    ...observedKeys(calls, revocations),
    ...observedEffects(calls),
    ...observedCredentials(calls),
    unexpectedRefusals(calls),
  ];
  return all.filter((each) => each.judge(each.calls) !== 'explained');
}

function unexpectedRefusals(calls: readonly Call[]): Observed {
  const isExpected = ({ answer }: Call): boolean =>
    answer.type !== 'refused' || EXPECTED.has(answer.code);
  const judge = (some: readonly Call[]) => (some.every(isExpected) ? 'explained' : 'contradictory');
  return { name: 'refusals', calls, judge };
}
