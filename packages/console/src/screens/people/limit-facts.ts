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

/** Requests in 60 seconds at the first start (docs/contract/rate-limits.md#rtl-10). */
export const limitDefaults: Readonly<Record<LimitedPart, number | undefined>> = {
  ...{ Login: 100, ApiKeyCreation: 100, UserManagement: 1_000, GeneralApi: 100_000 },
  Custom: undefined,
};

/** A person at work here sends that many requests in a minute, or tries to sign in as often. */
const LEAST_PER_MINUTE = { Login: 5, ApiKeyCreation: 5, UserManagement: 60, GeneralApi: 120 };

/** Says whom a limit would lock out, or returns `undefined`. */
export function riskOf(
  part: LimitedPart,
  { maxRequests, windowSecs }: { readonly maxRequests: number; readonly windowSecs: number },
): string | undefined {
  const least = LEAST_PER_MINUTE[part === 'Custom' ? 'GeneralApi' : part];
  const perMinute = (maxRequests * 60) / windowSecs;
  return maxRequests < least || perMinute < least ? words.risk(words.parts[part]) : undefined;
}
