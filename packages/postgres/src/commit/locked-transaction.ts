/**
 * A transaction that takes its locks before it reads, so that nothing it has read can change before
 * it commits. Locks are granted in order of arrival, so no transaction waits forever.
 */
import { storeError } from '@agentkeep/core/store';
import { Batch, type Waiting } from './batch.js';
import { writeCalls } from './commit-call.js';
import { type CommitPlan, isReadOnly, noteCommit, planOf } from './commit-plan.js';
import type { Answer, Call, Session } from '../database/database.js';
import { isLost } from '../database/failure.js';
import {
  fetchCall,
  isEmpty,
  LOOK_UPS_MAX,
  requestAnew,
  requestOf,
  takeAnswer,
} from '../guesses/fetch.js';
import { Knowledge } from '../guesses/knowledge.js';
import { didCommit, type Lane } from '../database/lane.js';
import { LOCKS_MAX, LockSet } from '../locks/lock-set.js';
import type { Parts } from '../locks/parts.js';
import { control } from '../database/statements.js';

/** Most restarts of a transaction that turns out to need more locks. */
const STARTS_MAX = 8;

/** Commits one batch in a transaction that locks first. */
export class LockedTransaction<W extends Waiting> {
  readonly #parts: Parts;
  readonly #lane: Lane;
  #batch: Batch<W>;
  /** Set once a commit may have been sent. */
  #plan: CommitPlan | undefined;

  constructor(parts: Parts, lane: Lane, batch: Batch<W>) {
    this.#parts = parts;
    this.#lane = lane;
    this.#batch = batch;
  }

  /** Commits the batch. Returns it as it ran in the committed attempt. */
  async run(): Promise<Batch<W>> {
    const locks = new LockSet();
    for (let start = 0; start < STARTS_MAX; start += 1) {
      locks.addAll(this.#batch.locks);
      if (await this.#start(locks)) return this.#batch;
    }
    throw storeError('store_unavailable', `Locks were missing in ${String(STARTS_MAX)} attempts.`);
  }

  /** Runs one transaction. Returns false if it needed more locks and was rolled back. */
  async #start(locks: LockSet): Promise<boolean> {
    const { database, guesses } = this.#parts;
    try {
      const isDone = await database.use((session) =>
        this.#runIn(session, locks.bounded(LOCKS_MAX)),
      );
      if (!isDone) return false;
    } catch (error) {
      const plan = this.#plan;
      if (plan === undefined || isReadOnly(plan) || !isLost(error)) throw error;
      if (!(await didCommit(this.#parts, this.#lane, plan.mark))) throw error;
    }
    if (this.#plan !== undefined) noteCommit(this.#plan, guesses);
    return true;
  }

  async #runIn(session: Session, wanted: LockSet): Promise<boolean> {
    const { guesses, locking, statements } = this.#parts;
    const held = new LockSet();
    held.addAll(wanted);
    const knowledge = new Knowledge(guesses);
    let request = requestAnew(this.#batch.trace, knowledge);
    let before: readonly Call[] = [...this.#beginning(), ...locking.take(held)];
    for (let round = 0; round < LOOK_UPS_MAX; round += 1) {
      const answers = await session.send(...before, fetchCall(statements, request));
      if (isRefused(before, answers)) return this.#giveUp(session);
      takeAnswer(knowledge, request, lastOf(answers));
      this.#batch = Batch.of(knowledge, this.#batch.waiting);
      request = requestOf(this.#batch.trace);
      const missing = this.#batch.locks.without(held);
      if (missing.size === 0 && isEmpty(request)) return this.#end(session);
      const more = missing.size === 0 ? undefined : locking.takeMore(missing);
      if (missing.size > 0 && more === undefined) return this.#giveUp(session);
      held.addAll(missing);
      before = more === undefined ? [] : [more];
    }
    throw storeError('store_unavailable', 'A range read did not end.');
  }

  #beginning(): Call[] {
    const { lockTimeoutMs, statementTimeoutMs } = this.#parts.settings;
    const values = [`${String(lockTimeoutMs)}ms`, `${String(statementTimeoutMs)}ms`];
    return [{ statement: control.begin }, { statement: control.limits, values }];
  }

  async #giveUp(session: Session): Promise<false> {
    await session.send({ statement: control.rollback });
    return false;
  }

  async #end(session: Session): Promise<true> {
    const plan = planOf(this.#batch, this.#lane);
    this.#plan = plan;
    const writes = isReadOnly(plan) ? [] : writeCalls(this.#parts.statements, plan);
    await session.send(...writes, { statement: control.commit });
    return true;
  }
}

/** Whether more locks were requested and another transaction holds them. */
function isRefused(calls: readonly Call[], answers: readonly Answer[]): boolean {
  return calls.length === 1 && answers[0]?.rows[0]?.[0] === false;
}

function lastOf(answers: readonly Answer[]): Answer {
  const answer = answers.at(-1);
  if (answer === undefined) throw new Error('The statement returned no answer.');
  return answer;
}
