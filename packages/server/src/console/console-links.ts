/** Links that sign in to the console once, for a person at the machine of the server. */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { AgentkeepError } from '@agentkeep/core';
import { sha256 } from '@agentkeep/core/store';

const LINK_BYTES = 32;
const LINK_MS = 10 * 60_000;

/** Links that are remembered, those that have ended too, so that their refusal can say why. */
const REMEMBERED_MAX = 1_000;

/** The account that a link signs in. */
export interface LinkedAccount {
  readonly username: string;
  /** Absent for an account of the installation. */
  readonly tenantId?: string | undefined;
}

interface Issued {
  readonly account: LinkedAccount;
  readonly endsMs: number;
  isUsed: boolean;
}

/** The links of one process. Only digests of their texts are kept. */
export class ConsoleLinks {
  /** The oldest first. */
  readonly #issued = new Map<string, Issued>();
  readonly #now: () => number;

  /** `now` returns monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns the text of a new link that signs in an account. */
  issue(account: LinkedAccount): string {
    const text = randomBytes(LINK_BYTES).toString('base64url');
    this.#issued.set(digestOf(text), { account, endsMs: this.#now() + LINK_MS, isUsed: false });
    for (const digest of this.#issued.keys()) {
      if (this.#issued.size <= REMEMBERED_MAX) break;
      this.#issued.delete(digest);
    }
    return text;
  }

  /**
   * Uses a link up, and returns its account.
   *
   * @throws {AgentkeepError} `console_link_used`, `console_link_expired`, `console_link_unknown`
   */
  redeem(text: string): LinkedAccount {
    const found = this.#issued.get(digestOf(text));
    if (found === undefined) throw new AgentkeepError('console_link_unknown');
    if (found.isUsed) throw new AgentkeepError('console_link_used');
    if (found.endsMs <= this.#now()) throw new AgentkeepError('console_link_expired');
    found.isUsed = true;
    return found.account;
  }
}

function digestOf(text: string): string {
  return Buffer.from(sha256(Buffer.from(text))).toString('base64url');
}
