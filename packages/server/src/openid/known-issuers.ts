/**
 * What issuers state of themselves, remembered for ten minutes. Bounded, and asked once at a time,
 * whatever callers begin.
 */
import { performance } from 'node:perf_hooks';
import type { ExportedJWKSCache, ServerMetadata } from 'openid-client';
import type { KeptKeys } from './kept-keys.js';
import type { SignInTrust } from './protocol-types.js';

/** How long an answer counts. */
const KNOWN_MS = 600_000;
/** How long an issuer is left alone after a failure. */
const FAILURE_MS = 10_000;
const ISSUERS_MAX = 512;

/** An issuer. */
export interface KnownIssuer {
  readonly kind: 'known';
  readonly metadata: ServerMetadata;
  /** Its keys, as the last sign-in left them: the library fetches and renews them. */
  keys: ExportedJWKSCache | undefined;
  /** The last key set that was fetched. */
  kept: KeptKeys | undefined;
}

/** An issuer, or why it is not known. */
export type IssuerAnswer = KnownIssuer | { readonly kind: 'unavailable'; readonly reason: string };

/** The issuers of one process. */
export class KnownIssuers {
  readonly #ask: (trust: SignInTrust) => Promise<IssuerAnswer>;
  readonly #known = new Map<string, { readonly answer: IssuerAnswer; readonly atMs: number }>();
  readonly #asking = new Map<string, Promise<IssuerAnswer>>();

  /** `ask` never rejects. */
  constructor(ask: (trust: SignInTrust) => Promise<IssuerAnswer>) {
    this.#ask = ask;
  }

  /** Returns an issuer; asks it if nothing is known. */
  async find(trust: SignInTrust): Promise<IssuerAnswer> {
    const name = JSON.stringify([trust.authority, trust.name, trust.revision]);
    const known = this.#known.get(name);
    if (known !== undefined && counts(known.answer, performance.now() - known.atMs)) {
      return known.answer;
    }
    return this.#asking.get(name) ?? this.#askOnce(name, trust);
  }

  async #askOnce(name: string, trust: SignInTrust): Promise<IssuerAnswer> {
    const asking = this.#ask(trust);
    this.#asking.set(name, asking);
    try {
      const answer = await asking;
      // Nothing was asked.
      if (answer.kind === 'unavailable' && answer.reason === 'busy') return answer;
      this.#known.delete(name);
      this.#known.set(name, { answer, atMs: performance.now() });
      const [oldest] = this.#known.keys();
      if (this.#known.size > ISSUERS_MAX && oldest !== undefined) this.#known.delete(oldest);
      return answer;
    } finally {
      this.#asking.delete(name);
    }
  }
}

function counts({ kind }: IssuerAnswer, ageMs: number): boolean {
  return ageMs < (kind === 'known' ? KNOWN_MS : FAILURE_MS);
}
