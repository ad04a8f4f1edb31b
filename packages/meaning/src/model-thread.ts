/** A thread that runs the model, and the texts that wait for it. */
import { Worker } from 'node:worker_threads';
import type { Answered, Asked } from './messages.js';

/** Texts that the thread embeds at a time: more cost no less each, and a query waits for them. */
const TEXTS_MAX = 8;
/** UTF-16 units of them, but for a single text. */
const UNITS_MAX = 2_000;

type Kind = 'record' | 'query';

/** Texts of one call, and what is known of them so far. */
interface Job {
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
  readonly embeddings: number[][];
  readonly resolve: (embeddings: number[][]) => void;
  readonly reject: (error: Error) => void;
}

// The bundle, also where this module is run from its source: a thread loads no TypeScript.
const here = import.meta.url;
const worker = new URL(here.endsWith('.ts') ? '../dist/worker.js' : 'worker.js', here);

/** Runs the model from the first text on, until it is closed; a query overtakes records. */
export class ModelThread {
  readonly #jobs: Readonly<Record<Kind, Job[]>> = { query: [], record: [] };
  #worker: Worker | undefined;
  #running: Job | undefined;

  /** Returns an embedding for each text; an empty one where the model doesn't understand it. */
  async embed(texts: readonly string[], kind: Kind, signal: AbortSignal): Promise<number[][]> {
    return new Promise((resolve, reject) => {
      this.#jobs[kind].push({ texts, signal, embeddings: [], resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread, and refuses what waits. */
  async close(): Promise<void> {
    const running = this.#worker;
    this.#fail(new Error('The model was closed.'));
    await running?.terminate();
  }

  /** Sends the next texts, if the thread has none. */
  #next(): void {
    if (this.#running !== undefined) return;
    const { query, record } = this.#jobs;
    const job = query[0] ?? record[0];
    if (job === undefined) {
      // A program may end while its model waits for texts.
      this.#worker?.unref();
    } else if (job.signal.aborted) {
      this.#end(job, new Error('The caller of these embeddings has ended.'));
    } else if (job.embeddings.length === job.texts.length) {
      this.#end(job);
    } else {
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#running = job;
      this.#worker.postMessage({ texts: nextOf(job) } satisfies Asked);
    }
  }

  /** Answers the job that is first in its line, and goes on. */
  #end(job: Job, error?: Error): void {
    for (const jobs of Object.values(this.#jobs)) {
      if (jobs[0] === job) jobs.shift();
    }
    if (error === undefined) job.resolve(job.embeddings);
    else job.reject(error);
    this.#next();
  }

  #receive(answer: Answered): void {
    const job = this.#running;
    this.#running = undefined;
    if (job === undefined) return;
    if ('error' in answer) {
      this.#end(job, new Error(`The model failed: ${answer.error}`));
      return;
    }
    job.embeddings.push(...answer.embeddings.map((values) => [...values]));
    this.#next();
  }

  #start(): Worker {
    const started = new Worker(worker);
    started.on('message', (answer: Answered) => {
      if (this.#worker === started) this.#receive(answer);
    });
    started.on('error', (error) => {
      if (this.#worker === started) this.#fail(error);
    });
    started.on('exit', (code) => {
      if (this.#worker === started) this.#fail(new Error(`The model ended with code ${code}.`));
    });
    return started;
  }

  /** Refuses all that waits; the next text starts a new thread. */
  #fail(error: Error): void {
    this.#worker = undefined;
    this.#running = undefined;
    for (const jobs of Object.values(this.#jobs)) {
      for (const job of jobs.splice(0)) job.reject(error);
    }
  }
}

/** Returns the next texts of a job, as many as the thread embeds at a time. */
function nextOf({ texts, embeddings }: Job): readonly string[] {
  const next: string[] = [];
  let units = 0;
  for (const text of texts.slice(embeddings.length, embeddings.length + TEXTS_MAX)) {
    units += text.length;
    if (next.length > 0 && units > UNITS_MAX) break;
    next.push(text);
  }
  return next;
}
