/** The page of limits: every limit that a caller can meet, read from the sources. */
import { fileURLToPath } from 'node:url';
import * as groupCommitPolicy from '../../packages/core/src/storage/lmdb-store/group-commit-policy.ts';
import * as groupCommit from '../../packages/core/src/storage/lmdb-store/group-commit.ts';
import * as limits from '../../packages/core/src/contract/limits.ts';
import * as rateLimiter from '../../packages/core/src/kernel/rate-limit/rate-limiter.ts';
import * as json from '../../packages/core/src/contract/schema/json-value.ts';
import * as store from '../../packages/core/src/storage/store/store.ts';
import { defaultRateLimitPolicies } from '../../packages/core/src/kernel/rate-limit/rate-limit-policy.ts';
import { docstringsOf } from './docstrings.ts';
import { code, grouped, page, type ReferencePage, table } from './page.ts';

/** Files whose exported numbers limit callers, with their section of the page. */
const sources = [
  ['Contract', 'core/src/contract/limits.ts', limits],
  ['JSON', 'core/src/contract/schema/json-value.ts', json],
  ['Storage port', 'core/src/storage/store/store.ts', store],
  [
    'Work of a group commit',
    'core/src/storage/lmdb-store/group-commit-policy.ts',
    groupCommitPolicy,
  ],
  ['Group commit', 'core/src/storage/lmdb-store/group-commit.ts', groupCommit],
  ['Rate limits', 'core/src/kernel/rate-limit/rate-limiter.ts', rateLimiter],
] as const;

const introduction =
  'Everything that a caller can send or hold is bounded, and each limit is stated once in the ' +
  'sources. The name of a limit ends in its unit and in `MAX`, `MIN` or `DEFAULT`.';

/** Returns the page of limits. */
export function limitsPage(): ReferencePage {
  const sections = sources.map(([title, path, values]) => section(title, path, values));
  const source = 'the constants of the sources';
  return page('limits.md', 'Limits', source, [introduction, ...sections, rateLimits()]);
}

function section(title: string, path: string, values: Readonly<Record<string, unknown>>): string {
  const url = new URL(`../../packages/${path}`, import.meta.url);
  const comments = docstringsOf(fileURLToPath(url));
  const rows = [...comments].flatMap(([name, comment]) => {
    const value = values[name];
    return typeof value === 'number' ? [[code(name), grouped(value), comment]] : [];
  });
  if (rows.length === 0) throw new Error(`${path} states no limit.`);
  return `## ${title}\n\n${table(['Name', 'Value', 'Meaning'], rows)}`;
}

function rateLimits(): string {
  const rows = defaultRateLimitPolicies.map(({ endpointType, maxRequests, windowSecs }) => [
    typeof endpointType === 'string' ? endpointType : endpointType.Custom,
    `${grouped(maxRequests)} in ${grouped(windowSecs)} s`,
  ]);
  const meaning = 'Requests of one client: its credential or, without a valid proof, its address.';
  return `${meaning}\n\n${table(['Part of the API', 'Default limit'], rows)}`;
}
