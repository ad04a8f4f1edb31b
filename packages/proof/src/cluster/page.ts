/**
 * The page about high availability, as commands for the hosts of a test.
 */
import { readFileSync } from 'node:fs';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { type Ground, PAGE_NETWORK } from './ground.js';

const page = new URL('../../../../docs/jobs/run-it-highly-available.md', import.meta.url);
const FENCED = /^```sh norun\n([\s\S]*?)^```$/gmu;

/** What the blocks of the page do, in its order. */
const STEPS = [
  ...(['name', 'etcd', 'patroni', 'haproxy', 'role', 'url', 'tenant', 'serve'] as const),
  'drill',
] as const;

/** A block of the page. */
export type Step = (typeof STEPS)[number];

/** The hosts of the page, by their last number. */
export const HOSTS = { db1: 11, db2: 12, db3: 13, keep1: 21, keep2: 22 } as const;

/** The name of a host. */
export type HostName = keyof typeof HOSTS;

/** The hosts with a database. */
export const DATABASES = ['db1', 'db2', 'db3'] as const satisfies readonly HostName[];

/** The hosts with Agentkeep. */
export const KEEPS = ['keep1', 'keep2'] as const satisfies readonly HostName[];

/** Returns the blocks of the page, word for word. */
export function readPage(): Record<Step, string> {
  const found = Array.from(readFileSync(page, 'utf8').matchAll(FENCED), ([, text = '']) => text);
  if (found.length !== STEPS.length) throw new Error('The page has other blocks than its test.');
  return Object.fromEntries(STEPS.map((step, at) => [step, found[at]])) as Record<Step, string>;
}

/** Where a block is followed. */
export interface Setting {
  readonly ground: Pick<Ground, 'isIsolated' | 'network'>;
  readonly directory: string;
  readonly isSafe: boolean;
}

/**
 * Returns a block for a host of the test: the same, with files below its directory. `isSafe` is
 * false for the control, which does not wait for a copy of each commit.
 */
export function placed(text: string, { ground, directory, isSafe }: Setting): string {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed.');
  const shared = ground.isIsolated
    ? text
    : text
        .replaceAll('10.0.0.0/24', '127.0.0.0/8')
        .replaceAll('127.0.0.1', '$ADDRESS')
        .replaceAll(PAGE_NETWORK, ground.network);
  const own = shared
    .replaceAll('/usr/lib/postgresql/15/bin', bin)
    .replaceAll('/etc/', `${directory}/etc/`)
    .replaceAll('/var/', `${directory}/var/`);
  return isSafe ? own : own.replaceAll(/(synchronous_mode\w*): true/gu, '$1: false');
}
