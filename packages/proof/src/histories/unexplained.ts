/**
 * Checks a history: each thing that it is about (record, key, credential) is looked at by itself,
 * since a history is linearizable when each of its objects is.
 * @module
 */
import type { ErrorCode } from '@agentkeep/core';
import type { Call } from './call.js';
import { observedCredentials } from './observed-credentials.js';
import { observedEffects, observedKeys } from './observed-keys.js';
import { observedRecords } from './observed-records.js';
import type { Observed } from './observed.js';
import { revocationsIn } from './timing.js';

/** What the requests of a history may be refused for. */
const EXPECTED: ReadonlySet<ErrorCode> = new Set([
  'revision_conflict',
  'record_not_found',
  'idempotency_conflict',
  'unauthorized',
]);

/** The things of a history that cannot be explained. */
export function unexplained(calls: readonly Call[]): Observed[] {
  const revocations = revocationsIn(calls);
  const all = [
    ...observedRecords(calls, revocations),
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
