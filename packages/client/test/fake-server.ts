/** A server of prepared answers, and a clock that stands still until nothing else can happen. */
import { setImmediate as turn } from 'node:timers/promises';
import type { ClientClock } from '../src/clock.js';

/** A request as the fake server received it. */
export interface Received {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** One prepared answer. */
export type Prepared = (received: Received, init: RequestInit) => Response | Promise<Response>;

/** Returns an answer with JSON. */
export function json(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Prepared {
  return () => new Response(JSON.stringify(body), { status, headers });
}

/** Returns an answer with another text. */
export function text(body: string, status = 200): Prepared {
  return () => new Response(body, { status });
}

/** Returns a refusal in the envelope of the platform. */
export function refusal(
  code: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Prepared {
  const error = { code, message: `It is ${code}.` };
  return json({ contract_version: 1, error }, status, headers);
}

/** No connection, as `fetch` reports it. */
export const down: Prepared = () => Promise.reject(new TypeError('fetch failed'));

/** A connection without an answer. */
export const silent: Prepared = () => new Promise<Response>(() => undefined);

/** Gives its answers in turn, the last one again and again, and keeps the requests. */
export class FakeServer {
  readonly received: Received[] = [];
  readonly #answers: readonly Prepared[];

  constructor(...answers: readonly Prepared[]) {
    this.#answers = answers;
  }

  /** Stands in for the global `fetch`. */
  readonly fetch = (url: string, init: RequestInit): Response | Promise<Response> => {
    const { method = 'GET', body } = init;
    const received = {
      url,
      method,
      headers: new Headers(init.headers),
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
    };
    const answer = this.#answers[this.received.length] ?? this.#answers.at(-1)!;
    this.received.push(received);
    return answer(received, init);
  };
}

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

/** A clock that a test moves. */
export class FakeClock implements ClientClock {
  /** What was waited for, in milliseconds. */
  readonly waitedMs: number[] = [];
  readonly #timers = new Set<Timer>();
  #nowMs = 0;
  /** How far the wall clock was set, or ran while the machine slept. */
  #steppedMs = 0;

  now(): number {
    return this.#nowMs + this.#steppedMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets time pass while nothing waits for it. */
  advance(ms: number): void {
    this.#nowMs += ms;
  }

  /** Moves the wall clock alone. */
  step(ms: number): void {
    this.#steppedMs += ms;
  }

  /** Number of timers that were neither cancelled nor reached. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Waits for a call, and moves on to the next timer whenever nothing else happens. */
  async settle<T>(call: Promise<T>): Promise<T> {
    const state = { isSettled: false };
    const settled = (): void => {
      state.isSettled = true;
    };
    call.then(settled, settled);
    for (;;) {
      for (let turns = 0; turns < 10; turns += 1) await turn();
      if (state.isSettled) return call;
      this.#fireNext();
    }
  }

  #fireNext(): void {
    const [next] = [...this.#timers].sort((one, other) => one.atMs - other.atMs);
    if (next === undefined) throw new Error('Nothing is waited for.');
    this.#timers.delete(next);
    this.waitedMs.push(next.atMs - this.#nowMs);
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    next.action();
  }
}
