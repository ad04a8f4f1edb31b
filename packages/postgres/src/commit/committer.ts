/**
 * Commits batches. The first attempt runs on cached guesses, in one call that validates them. Under
 * contention, a transaction takes its locks before it reads.
 */
import { storeError } from '@agentkeep/core/store';
import { Batch, type Waiting } from './batch.js';
import { commitCall } from './commit-call.js';
import { Contention } from './contention.js';
import { isReadOnly, noteCommit, planOf } from './commit-plan.js';
import { isEpochOutdated, raiseEpoch } from '../locks/epoch.js';
import { isLost, isTransient, storeFailure } from '../database/failure.js';
import { fetchCall, foundOf, LOOK_UPS_MAX, requestOf, takeAnswer } from '../guesses/fetch.js';
import { Knowledge } from '../guesses/knowledge.js';
import { backOff, didCommit, type Lane } from '../database/lane.js';
import { lockIds } from '../locks/lock-ids.js';
import { LOCKS_MAX } from '../locks/lock-set.js';
import { LockedTransaction } from './locked-transaction.js';
import type { Parts } from '../locks/parts.js';

/** Attempts on guesses for uncached keys before locks are taken first. */
const GUESSES_MAX = 3;

/** Attempts of any kind, after which the commit fails. */
const ATTEMPTS_MAX = 12;

/**
 * Outcome of a commit on guesses: `unknown` if a key was not cached, `outdated` if a guess was
 * stale.
 */
type Verdict = 'committed' | 'unknown' | 'outdated';

/** Commits the batches of one store. */
export class Committer {
  readonly #parts: Parts;
  readonly #contention = new Contention();
  #hasEpoch = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Commits a batch. Returns it as it ran in the committed attempt, with its callers not answered
   * yet.
   * @throws {AgentkeepError} `store_unavailable` or `store_full`.
   */
  async commit<W extends Waiting>(first: Batch<W>, lane: Lane): Promise<Batch<W>> {
    let batch = first;
    let isGuessed =
      this.#parts.settings.locks === 'advisory' &&
      !this.#contention.isAmong(first.trace.points.keys());
    let isEpochGood = true;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      try {
        if (!isEpochGood) await raiseEpoch(this.#parts, false);
        isEpochGood = true;
        await this.#beginEpoch(batch);
        if (!isGuessed) return await new LockedTransaction(this.#parts, lane, batch).run();
        batch = await this.#complete(batch);
        const verdict = await this.#tryGuess(batch, lane);
        if (verdict === 'committed') return batch;
        // If another server writes the same keys, the next guess would be stale again.
        isGuessed = verdict === 'unknown' && attempt + 1 < GUESSES_MAX;
        batch = this.#again(batch);
      } catch (error) {
        if (isEpochOutdated(error)) {
          isEpochGood = false;
          batch = this.#again(batch);
          continue;
        }
        if (!isTransient(error) && !isLost(error)) throw storeFailure(error);
        if (attempt + 1 === ATTEMPTS_MAX) throw storeFailure(error);
        isGuessed = false;
        await backOff(attempt);
      }
    }
    throw storeError('store_unavailable', `No commit after ${String(ATTEMPTS_MAX)} attempts.`);
  }

  /**
   * Raises the epoch before the first commit of this opening that appends, where the database does
   * not say whether it is the one of the last commit.
   */
  async #beginEpoch(batch: Batch): Promise<void> {
    if (this.#hasEpoch || batch.appended.length === 0) return;
    if (this.#parts.settings.locks === 'rows') await raiseEpoch(this.#parts, true);
    this.#hasEpoch = true;
  }

  /** Fetches spans until the bodies have read everything that they walk through. */
  async #complete<W extends Waiting>(first: Batch<W>): Promise<Batch<W>> {
    const { database, statements } = this.#parts;
    let batch = first;
    for (let round = 0; batch.trace.wanted.length > 0; round += 1) {
      if (round === LOOK_UPS_MAX)
        throw storeError('store_unavailable', 'A range read did not end.');
      const { knowledge } = batch;
      const request = requestOf(batch.trace);
      const call = fetchCall(statements, request);
      takeAnswer(knowledge, request, await database.run(call.statement, call.values));
      batch = Batch.of(knowledge, batch.waiting);
    }
    return batch;
  }

  async #tryGuess(batch: Batch, lane: Lane): Promise<Verdict> {
    const { database, guesses, settings, statements } = this.#parts;
    const plan = planOf(batch, lane);
    const isReading = isReadOnly(plan);
    // One statement checks keys without spans, and needs no locks to be consistent.
    const needsLocks = !isReading || batch.trace.walks.size > 0;
    const locks = needsLocks ? lockIds(settings.table, batch.locks.bounded(LOCKS_MAX)) : [];
    const { lockTimeoutMs } = settings;
    const call = commitCall(statements, batch, plan, { locks, lockTimeoutMs });
    try {
      const { rows } = await database.run(call.statement, call.values);
      if (rows.length > 0) return this.#learn(batch, rows);
    } catch (error) {
      if (isReading || !isLost(error)) throw error;
      if (!(await didCommit(this.#parts, lane, plan.mark))) throw error;
    }
    noteCommit(plan, guesses);
    return 'committed';
  }

  /** Caches the values that the database returned instead of the guesses. */
  #learn(batch: Batch, rows: readonly (readonly unknown[])[]): Verdict {
    const { guesses } = this.#parts;
    const points = [...batch.trace.points];
    let verdict: Verdict = 'unknown';
    for (const [at, revision, value] of rows) {
      const [text] = points[Number(at) - 1] ?? [];
      // A cached value that is wrong was changed by another server; so was a span, just fetched.
      if (text === undefined || guesses.get(text) !== undefined) verdict = 'outdated';
      if (text === undefined) continue;
      if (guesses.get(text) !== undefined) this.#contention.note(text);
      guesses.set(text, foundOf(revision, value));
    }
    return verdict;
  }

  #again<W extends Waiting>(batch: Batch<W>): Batch<W> {
    return Batch.of(new Knowledge(this.#parts.guesses), batch.waiting);
  }
}
