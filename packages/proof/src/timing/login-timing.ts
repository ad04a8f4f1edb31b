/**
 * Proof: the time of a failed login tells nothing of the name.
 * @module
 */
import { performance } from 'node:perf_hooks';
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { type AgentkeepApp, createServer } from '@agentkeep/server';
import type { Finding, Proof } from '../proof.js';

const PAIRS = 30;
const ROUNDS = 10;
/** Names that exist. */
const KNOWN = 4;
const RATIO_MAX = 1.1;
const PASSWORD = 'Correct-Horse-7';

/** Known and unknown names take the same time. */
export const loginTiming: Proof = {
  name: 'login timing',
  claim: 'A failed login of a name that exists takes as long as one of a name that does not.',
  measures: true,
  run: timeLogins,
};

async function timeLogins(): Promise<Finding> {
  // The passwords are hashed as in service. No name is tried often enough to be locked.
  await using keep = await openKeep({ store: inMemoryStore() });
  const names = Array.from({ length: KNOWN }, (_, index) => `known-${index}`);
  for (const username of names) await createAdmin(keep, { username, password: PASSWORD });
  const app = createServer(keep, { rateLimitPolicies: [] });
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ratios.push(await ratioOf(app, names, round));
    // Another process can spoil a round; a difference of the code would spoil each of them.
    if (Math.abs(Math.log(ratios.at(-1) ?? NaN)) < Math.log(RATIO_MAX)) break;
  }
  const isEqual = ratios.some((ratio) => Math.abs(Math.log(ratio)) < Math.log(RATIO_MAX));
  const told = ratios.map((ratio) => ratio.toFixed(3)).join(', ');
  return {
    done: { rounds: ratios.length, pairs: ratios.length * PAIRS },
    violations: isEqual ? [] : [`Medians of known to unknown names, round by round: ${told}`],
  };
}

/** The median time of known names in one round, divided by that of unknown ones. */
async function ratioOf(app: AgentkeepApp, names: readonly string[], round: number) {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const name = names[pair % names.length] ?? '';
    // Each is first every other time, so that neither gains from what went before.
    if (pair % 2 === 0) known.push(await failedLogin(app, name));
    unknown.push(await failedLogin(app, `nobody-${round}-${pair}`));
    if (pair % 2 === 1) known.push(await failedLogin(app, name));
    if (pair % 8 === 7) await goodLogins(app, names);
  }
  await goodLogins(app, names);
  return median(known) / median(unknown);
}

/** The milliseconds of a login with a wrong password. */
async function failedLogin(app: AgentkeepApp, username: string): Promise<number> {
  const startedMs = performance.now();
  await logIn(app, { username, password: 'Wrong-horse-1', status: 401 });
  return performance.now() - startedMs;
}

/** Logs everyone in, which ends the count of wrong passwords. */
async function goodLogins(app: AgentkeepApp, names: readonly string[]): Promise<void> {
  for (const username of names) await logIn(app, { username, password: PASSWORD, status: 200 });
}

interface Attempt {
  readonly username: string;
  readonly password: string;
  /** The status that it is answered with. */
  readonly status: number;
}

async function logIn(app: AgentkeepApp, { username, password, status }: Attempt): Promise<void> {
  const answer = await app.request('/api/v1/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  if (answer.status !== status) throw new Error(`A login was answered with ${answer.status}.`);
  await answer.text();
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? NaN;
}
