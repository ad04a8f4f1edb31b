/**
 * Runs a read in its own transaction, in which all look-ups see one snapshot.
 */
import { type SnapshotTx, storeError } from '@agentkeep/core/store';
import type { Call, Session } from '../database/database.js';
import { horizonOf } from '../locks/epoch.js';
import {
  fetchCall,
  isEmpty,
  LOOK_UPS_MAX,
  requestAnew,
  requestOf,
  takeAnswer,
} from '../guesses/fetch.js';
import { Knowledge } from '../guesses/knowledge.js';
import type { Parts } from '../locks/parts.js';
import { readAgain } from './read-again.js';
import { type RanRead, runRead } from './run-read.js';
import { control } from '../database/statements.js';
import type { Trace } from '../guesses/trace.js';

/** Runs a body until everything that it reads was fetched. `trace` holds the reads known so far. */
export function readSnapshot(
  parts: Parts,
  body: (tx: SnapshotTx) => unknown,
  trace: Trace,
): Promise<RanRead> {
  const read = (session: Session): Promise<RanRead> => readIn(session, parts, body, trace);
  return readAgain(() => parts.database.use(read));
}

async function readIn(
  session: Session,
  { guesses, settings, statements }: Parts,
  body: (tx: SnapshotTx) => unknown,
  trace: Trace,
): Promise<RanRead> {
  const { lockTimeoutMs, statementTimeoutMs } = settings;
  const limits = [`${String(lockTimeoutMs)}ms`, `${String(statementTimeoutMs)}ms`];
  const knowledge = new Knowledge(guesses);
  let request = requestAnew(trace, knowledge);
  let needsHorizon = trace.readsHorizon;
  let before: Call[] = [
    { statement: control.beginRead },
    { statement: control.limits, values: limits },
  ];
  for (let round = 0; round < LOOK_UPS_MAX; round += 1) {
    // Asked for in the same snapshot as everything else.
    if (needsHorizon) before.push({ statement: statements.horizon });
    const answers = await session.send(...before, fetchCall(statements, request));
    if (needsHorizon) knowledge.horizon = horizonOf(answers.at(-2));
    const answer = answers.at(-1);
    if (answer !== undefined) takeAnswer(knowledge, request, answer);
    const ran = runRead(knowledge, body);
    request = requestOf(ran.trace);
    needsHorizon = ran.trace.readsHorizon && knowledge.horizon === undefined;
    if (isEmpty(request) && !needsHorizon) {
      // Nothing was written, so what was read is valid however the transaction ends.
      session.sendLast({ statement: control.commit });
      return ran;
    }
    before = [];
  }
  throw storeError('store_unavailable', 'A range read did not end.');
}
