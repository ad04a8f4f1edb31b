/**
 * The queue of bodies that read. Those that wait in the same turn of the event loop are run on
 * guesses, and one statement tells which of the guesses hold; a body whose guesses do not is run
 * again on what was found.
 * @module
 */
import type { ReadTx } from '@agentkeep/core/store';
import { isLost, storeFailure } from './failure.js';
import { fetchCall, isEmpty, requestOf, takeAnswer } from './fetch.js';
import type { Found } from './guess-cache.js';
import { Knowledge } from './knowledge.js';
import type { Parts } from './parts.js';
import { type RanRead, runRead } from './run-read.js';
import { readSnapshot } from './snapshot-read.js';
import type { Trace } from './trace.js';

/** A body with its caller. */
interface Waiting {
  readonly body: (tx: ReadTx) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Statements that were not enough. */
  rounds: number;
}

/** Statements for one body, after which it gets a transaction of its own. */
const ROUNDS_MAX = 3;

/** Keys that one statement looks up. */
const KEYS_MAX = 2_048;

/** The queue of one store. */
export class ReadQueue {
  readonly #parts: Parts;
  #waiting: Waiting[] = [];
  #lanes: number;
  #underWay = 0;
  #isScheduled = false;

  constructor(parts: Parts, lanes: number) {
    this.#parts = parts;
    this.#lanes = lanes;
  }

  /** Queues a body. */
  submit<T>(body: (tx: ReadTx) => T): Promise<T> {
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
    while (this.#underWay < this.#lanes && points.size < KEYS_MAX) {
      const waiting = this.#waiting.shift();
      if (waiting === undefined) break;
      const ran = runRead(knowledge, waiting.body);
      if (ran.trace.walks.size > 0 || waiting.rounds >= ROUNDS_MAX) {
        this.#occupy(this.#readAlone(waiting, ran.trace));
      } else {
        together.push([waiting, ran]);
        for (const [text, found] of ran.trace.points) points.set(text, found);
      }
    }
    if (together.length > 0) this.#occupy(this.#readTogether(together, [...points]));
  }

  #occupy(work: Promise<void>): void {
    this.#underWay += 1;
    void work.finally(() => {
      this.#underWay -= 1;
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

  /** One statement; sent once more when the connection turns out to be broken. */
  async #look(knowledge: Knowledge, points: readonly [string, Found][]): Promise<void> {
    const { database, statements } = this.#parts;
    const request = { points, spans: [] };
    const { statement, values } = fetchCall(statements, request);
    const answer = await database.run(statement, values).catch((error: unknown) => {
      if (isLost(error)) return database.run(statement, values);
      throw error;
    });
    takeAnswer(knowledge, request, answer);
  }

  /** Runs a body on what was found, which is enough unless it reads something else now. */
  #retry(waiting: Waiting, knowledge: Knowledge): void {
    const ran = runRead(knowledge, waiting.body);
    if (isEmpty(requestOf(ran.trace))) settle(ran, waiting);
    else this.#enqueue({ ...waiting, rounds: waiting.rounds + 1 });
  }
}

/** Whether all that a body has read is what was found. */
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
