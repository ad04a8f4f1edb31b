/**
 * What clients of a cluster were answered beside receipts, and calls that go on until one succeeds.
 */
import { setTimeout as pass } from 'node:timers/promises';
import { AgentkeepError } from '@agentkeep/core';

const PAUSE_MS = 100;

/** Failed answers, by code. */
export class AnswersSeen {
  readonly #counts = new Map<string, number>();
  /** Answers after which a retry is not documented to help, one sentence each. */
  readonly refusals: string[] = [];

  /** Returns whether the caller may try again. Notes the answer if so, and the refusal if not. */
  mayRetry(error: unknown, what: string): boolean {
    if (error instanceof AgentkeepError && error.retryable) {
      this.#counts.set(error.code, (this.#counts.get(error.code) ?? 0) + 1);
      return true;
    }
    const code = error instanceof AgentkeepError ? `${error.code}: ` : '';
    this.refusals.push(
      `${what} failed: ${code}${error instanceof Error ? error.message : 'unknown'}`,
    );
    return false;
  }

  /** The codes with their counts. */
  get text(): string {
    return [...this.#counts].map(([code, count]) => `${code} ${String(count)}`).join(', ') || '–';
  }
}

/**
 * Makes a call at one address after the other until it is answered or refused, and not longer than
 * until a moment. Returns `undefined` if it was not answered.
 */
export async function untilAnswered<T>(
  urls: readonly string[],
  { seen, what, until }: { seen: AnswersSeen; what: string; until: () => number },
  call: (url: string) => Promise<T>,
): Promise<T | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(urls[attempt % urls.length]!);
    } catch (error) {
      if (!seen.mayRetry(error, what)) return undefined;
    }
    if (performance.now() > until()) {
      seen.refusals.push(`${what} was not answered in time.`);
      return undefined;
    }
    await pass(PAUSE_MS);
  }
}
