/** The end of a request: when its time is over, or when its caller aborts it. */
import { clearTimeout, setTimeout } from 'node:timers';

/** The time of a request. */
export interface RequestTime {
  /** How long it may take in all: for the address, connecting and the head of the answer. */
  readonly timeoutMs: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

/** Aborts its signal once. A signal of `AbortSignal.any()` may be collected before it aborts. */
export class Deadline implements Disposable {
  readonly #ending = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  constructor({ timeoutMs, signal }: RequestTime) {
    this.#outer = signal;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#end();
    }, timeoutMs);
    signal?.addEventListener('abort', this.#end, { once: true });
    if (signal?.aborted === true) this.#end();
  }

  /** Aborts at the end. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether the time was over, as opposed to an abort by the caller. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends the timer. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#end);
  }

  readonly #end = (): void => {
    this.#ending.abort();
  };
}
