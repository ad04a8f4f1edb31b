/** The keys of an issuer that signs in people: what was fetched counts for ten minutes. */
import { performance } from 'node:perf_hooks';
import { type GuardedFetch, OutgoingError } from './guarded-fetch.js';

const KEPT_MS = 600_000;

/** A key set that was fetched. */
export interface KeptKeys {
  readonly text: string;
  readonly atMs: number;
}

/** Where keys are, and what was fetched from there. */
interface KeySource {
  readonly metadata: { readonly jwks_uri?: string };
  kept: KeptKeys | undefined;
}

/** A fetch that keeps keys. */
export interface KeepingFetch {
  readonly fetch: GuardedFetch;
  /** Why kept keys stood in for those of a fetch; `undefined` if they did not. */
  readonly failure: () => string | undefined;
}

/**
 * Returns a fetch that answers with the kept keys of an issuer where a fetch brings none: it fails,
 * or its answer is no key set.
 */
export function keepingKeys(fetch: GuardedFetch, source: KeySource): KeepingFetch {
  let failure: string | undefined;
  const keysOf: GuardedFetch = async (url, init) => {
    try {
      const answer = await fetch(url, init);
      const text = await answer.text();
      if (answer.status !== 200) throw new OutgoingError('status');
      if (!isKeySet(text)) throw new OutgoingError('not_a_document');
      source.kept = { text, atMs: performance.now() };
    } catch (error) {
      const age = performance.now() - (source.kept?.atMs ?? -Infinity);
      if (!(error instanceof OutgoingError) || age >= KEPT_MS) throw error;
      failure = error.reason;
    }
    return new Response(source.kept?.text, { headers: { 'content-type': 'application/json' } });
  };
  return {
    fetch: (url, init) => (url === source.metadata.jwks_uri ? keysOf(url, init) : fetch(url, init)),
    failure: () => failure,
  };
}

function isKeySet(text: string): boolean {
  try {
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    return Array.isArray(keys) && keys.length > 0;
  } catch {
    return false;
  }
}
