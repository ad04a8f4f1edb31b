/** Links that sign in to the console once, for a person at the machine of the server. */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { sha256 } from '@agentkeep/core/store';

const LINK_BYTES = 32;
const LINK_MS = 10 * 60_000;

interface Waiting {
  readonly refreshToken: string;
  readonly endsMs: number;
}

/**
 * The links of one process that wait to be followed. Only digests of their texts are kept, ten
 * minutes at most.
 */
export class ConsoleLinks {
  readonly #waiting = new Map<string, Waiting>();
  readonly #now: () => number;

  /** `now` returns monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns the text of a new link to a session. */
  issue(refreshToken: string): string {
    this.#removeEnded();
    const text = randomBytes(LINK_BYTES).toString('base64url');
    this.#waiting.set(digestOf(text), { refreshToken, endsMs: this.#now() + LINK_MS });
    return text;
  }

  /** Returns the refresh token of a link, once; `undefined` if it is unknown, used or too old. */
  redeem(text: string): string | undefined {
    this.#removeEnded();
    const digest = digestOf(text);
    const found = this.#waiting.get(digest);
    this.#waiting.delete(digest);
    return found?.refreshToken;
  }

  #removeEnded(): void {
    for (const [digest, { endsMs }] of this.#waiting) {
      if (endsMs <= this.#now()) this.#waiting.delete(digest);
    }
  }
}

function digestOf(text: string): string {
  return Buffer.from(sha256(Buffer.from(text))).toString('base64url');
}
