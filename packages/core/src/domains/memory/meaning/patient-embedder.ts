/** Asks the model, and waits for it no longer than a bound. */
import { clearTimeout, setTimeout } from 'node:timers';
import { SEARCH_DIMENSIONS_MAX } from '../../../contract/limits.js';
import type { TextEmbedder } from '../../../kernel/ports/text-embedder.js';

/** A model that takes longer for some texts is begun anew. */
const WORK_MS = 30_000;

type Kind = 'record' | 'query';

/** Asks a model, also one that throws, hangs or answers what is no embedding. */
export class PatientEmbedder {
  readonly #embedder: TextEmbedder;
  readonly #signal: AbortSignal;
  readonly #workMs: number;
  /** Whether it failed when it was asked last. */
  isFailing = false;

  constructor(embedder: TextEmbedder, signal: AbortSignal, workMs = WORK_MS) {
    this.#embedder = embedder;
    this.#signal = signal;
    this.#workMs = workMs;
  }

  /**
   * Returns an embedding for each text, empty where the model doesn't understand it. Rejects where
   * the model does, takes too long, or answers anything else, and once the keep closes.
   */
  async vectorsOf(texts: readonly string[], kind: Kind): Promise<readonly (readonly number[])[]> {
    const work = async () => this.#embedder.embed(texts, { kind, signal: this.#signal });
    try {
      const vectors = await this.#unlessTooLong(work());
      if (!areEmbeddings(vectors, texts.length)) {
        throw new TypeError('The model answered something else than an embedding of each text.');
      }
      this.isFailing = false;
      return vectors;
    } catch (error) {
      this.isFailing = true;
      throw error;
    }
  }

  async #unlessTooLong<T>(work: Promise<T>): Promise<T> {
    let end: () => void = () => undefined;
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      end = () => {
        reject(new Error('The keep is closed.'));
      };
      timer = setTimeout(() => {
        void this.#embedder.restart?.().catch(() => undefined);
        reject(new Error(`The model took longer than ${this.#workMs / 1_000} seconds.`));
      }, this.#workMs).unref();
      this.#signal.addEventListener('abort', end, { once: true });
      if (this.#signal.aborted) end();
    });
    try {
      return await Promise.race([work, ended]);
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener('abort', end);
      // What comes too late, or fails then, is dropped.
      work.catch(() => undefined);
    }
  }
}

function areEmbeddings(vectors: readonly (readonly number[])[], count: number): boolean {
  return vectors.length === count && vectors.every(isEmbedding);
}

function isEmbedding(values: readonly number[]): boolean {
  const isShort = values.length <= SEARCH_DIMENSIONS_MAX;
  return isShort && values.every((value) => Number.isFinite(Math.fround(value)));
}
