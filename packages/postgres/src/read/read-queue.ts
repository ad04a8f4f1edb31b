/**
 * The queue of bodies that read. The bodies of one turn of the event loop run on guesses, and one
 * statement validates the guesses of all. A body with a wrong guess runs again on the fetched
 * values.
 */
import { setImmediate } from 'node:timers';
import type { SnapshotTx } from '@agentkeep/core/store';
import { storeFailure } from '../database/failure.js';
import { fetchCall, isEmpty, requestOf, takeAnswer } from '../guesses/fetch.js';
import type { Found } from '../guesses/guess-cache.js';
import { Knowledge } from '../guesses/knowledge.js';
import type { Parts } from '../locks/parts.js';
import { readAgain } from './read-again.js';
import { type RanRead, runRead } from './run-read.js';
import { readSnapshot } from './snapshot-read.js';
import type { Trace } from '../guesses/trace.js';

/** A body with its caller. */
interface Waiting {
  readonly body: (tx: SnapshotTx) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Statements that did not complete the body. */
  rounds: number;
}

/** Shared statements for one body, after which it gets its own transaction. */
const ROUNDS_MAX = 3;

/** Most keys of one statement. */
const KEYS_MAX = 2_048;

/** The queue of one store. */
export class ReadQueue {
  readonly #parts: Parts;
  #waiting: Waiting[] = [];
  #lanes: number;
  #inProgress = 0;
  #isScheduled = false;

  constructor(parts: Parts, lanes: number) {
    this.#parts = parts;
    this.#lanes = lanes;
  }

  /** Queues a body. */
  submit<T>(body: (tx: SnapshotTx) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The result of a body goes to its own caller, so its type holds.
      this.#enqueue({ body, resolve: resolve as (value: unknown) => void, reject, rounds: 0 });
    });
  }

  #enqueue(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#runTurn();
    });
  }

  #runTurn(): void {
    const knowledge = new Knowledge(this.#parts.guesses);
    const together: [Waiting, RanRead][] = [];
    const points = new Map<string, Found>();
    while (this.#inProgress < this.#lanes && points.size < KEYS_MAX) {
      const waiting = this.#waiting.shift();
      if (waiting === undefined) break;
      const ran = runRead(knowledge, waiting.body);
      const { walks, readsHorizon } = ran.trace;
      if (walks.size > 0 || readsHorizon || waiting.rounds >= ROUNDS_MAX) {
        this.#occupy(this.#readAlone(waiting, ran.trace));
      } else {
        together.push([waiting, ran]);
        for (const [text, found] of ran.trace.points) points.set(text, found);
      }
    }
    if (together.length > 0) this.#occupy(this.#readTogether(together, [...points]));
  }

  #occupy(work: Promise<void>): void {
    this.#inProgress += 1;
    void work.finally(() => {
      this.#inProgress -= 1;
      this.#schedule();
    });
  }

  async #readAlone({ body, resolve, reject }: Waiting, trace: Trace): Promise<void> {
    try {
      settle(await readSnapshot(this.#parts, body, trace), { resolve, reject });
    } catch (error) {
      reject(storeFailure(error));
    }
  }

  async #readTogether(
    together: readonly [Waiting, RanRead][],
    points: readonly [string, Found][],
  ): Promise<void> {
    const knowledge = new Knowledge(this.#parts.guesses);
    try {
      if (points.length > 0) await this.#look(knowledge, points);
    } catch (error) {
      for (const [{ reject }] of together) reject(storeFailure(error));
      return;
    }
    for (const [waiting, ran] of together) {
      if (holds(ran.trace, knowledge)) settle(ran, waiting);
      else this.#retry(waiting, knowledge);
    }
  }

  /** Runs one look-up. */
  async #look(knowledge: Knowledge, points: readonly [string, Found][]): Promise<void> {
    const { database, statements } = this.#parts;
    const request = { points, spans: [] };
    const { statement, values } = fetchCall(statements, request);
    const answer = await readAgain(() => database.run(statement, values));
    takeAnswer(knowledge, request, answer);
  }

  /** Runs a body on the fetched values. Queues it again if it now reads other keys. */
  #retry(waiting: Waiting, knowledge: Knowledge): void {
    const ran = runRead(knowledge, waiting.body);
    if (isEmpty(requestOf(ran.trace))) settle(ran, waiting);
    else this.#enqueue({ ...waiting, rounds: waiting.rounds + 1 });
  }
}

/** Whether all guesses of a body were right. */
function holds(trace: Trace, knowledge: Knowledge): boolean {
  for (const [text, { revision }] of trace.points) {
    if (knowledge.find(text).revision !== revision) return false;
  }
  return true;
}

function settle(
  { result }: RanRead,
  { resolve, reject }: Pick<Waiting, 'resolve' | 'reject'>,
): void {
  try {
    resolve(result());
  } catch (error) {
    reject(error);
  }
}
