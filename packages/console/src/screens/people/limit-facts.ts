/** What a rate limit says about itself, in the words that people read. */
import type { Administrator } from '@agentkeep/client';
import { spanText } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';

const words = texts.limits;

/** A limit as the server shows it. */
export type Limit = Awaited<ReturnType<Administrator['rateLimits']['get']>>;

/** What a limit can be for: a named part of the API, or a path. */
export type LimitedPart = keyof typeof words.parts;

/** Whether a limit counts, and if not, why. */
export type LimitState = keyof typeof words.states;

/** Returns what a limit is for. */
export function partText({ endpoint_type: part }: Limit): string {
  return typeof part === 'string' ? words.parts[part] : part.Custom;
}

/** Returns how many requests a limit lets through. */
export function limitText({ max_requests: requests, window_secs: seconds }: Limit): string {
  return words.limitText(requests, spanText(seconds * 1_000));
}

/** Returns the states of limits that are in order, the newest first (RTL-20). */
export function statesOf(limits: readonly Limit[]): readonly LimitState[] {
  const limited = new Set<string>();
  return limits.map((limit) => {
    if (!limit.enabled) return 'disabled';
    const part = JSON.stringify(limit.endpoint_type);
    if (limited.has(part)) return 'replaced';
    limited.add(part);
    return 'applies';
  });
}
