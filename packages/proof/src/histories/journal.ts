/**
 * Records requests and answers of clients.
 */
import { AgentkeepError } from '@agentkeep/core';
import type { Answer, Call } from './call.js';

/** The calls of a history, in order of their ends. */
export class Journal {
  readonly #calls: Call[] = [];
  readonly #waiting = new Map<() => void, number>();
  #time = 0;

  /** All ended calls. */
  get calls(): readonly Call[] {
    return this.#calls;
  }

  /** Resolves once a number of calls have ended. */
  async reaches(count: number): Promise<void> {
    if (this.#calls.length >= count) return;
    await new Promise<void>((resolve) => this.#waiting.set(resolve, count));
  }

  /** Makes a call and records it. Never rejects because of the answer. */
  async note(
    call: Pick<Call, 'client' | 'credential' | 'request'>,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const calledAt = (this.#time += 1);
    const answer = await ask().catch(answerOf);
    this.#time += 1;
    const returnedAt = answer.type === 'unknown' ? Infinity : this.#time;
    this.#calls.push({ ...call, answer, calledAt, returnedAt });
    for (const [resolve, count] of this.#waiting) {
      if (this.#calls.length < count) continue;
      this.#waiting.delete(resolve);
      resolve();
    }
    return answer;
  }
}

/**
 * Returns the answer of an error.
 * @throws the error itself if it is neither a refusal nor a broken connection.
 */
function answerOf(error: unknown): Answer {
  if (error instanceof AgentkeepError) {
    const { code, kind } = error;
    const isOpen = kind === 'unavailable' || code === 'internal_error';
    return isOpen ? { type: 'unknown' } : { type: 'refused', code };
  }
  if (isBroken(error)) return { type: 'unknown' };
  throw error;
}

/** Whether the server did not answer completely or in time. */
function isBroken(error: unknown): boolean {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  return error instanceof TypeError || error instanceof SyntaxError || isLate;
}
