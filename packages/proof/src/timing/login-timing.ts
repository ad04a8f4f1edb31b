/**
 * Proof: the time of a failed login does not reveal whether the name exists.
 */
import { performance } from 'node:perf_hooks';
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { type AgentkeepApp, createServer } from '@agentkeep/server';
import type { Finding, ProofProgram } from '../proof.js';

const PAIRS = 30;
const ROUNDS = 10;
/** Number of names with an account. */
const KNOWN = 4;
const RATIO_MAX = 1.1;
const PASSWORD = 'Correct-Horse-7';

/** Compares the times of failed logins with known and unknown names. */
export const loginTiming: ProofProgram = {
  name: 'login timing',
  claim: 'A failed login takes the same time for an existing name and for an unknown one.',
  measures: true,
  run: timeLogins,
};

async function timeLogins(): Promise<Finding> {
  // Passwords are hashed as in production. No name is tried often enough to be locked.
  await using keep = await openKeep({ store: inMemoryStore() });
  const names = Array.from({ length: KNOWN }, (_, index) => `known-${index}`);
  for (const username of names) await createAdmin(keep, { username, password: PASSWORD });
  const app = createServer(keep, { rateLimitPolicies: [] });
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ratios.push(await ratioOf(app, names, round));
    // Another process can disturb a round; a difference in the code would show in every round.
    if (Math.abs(Math.log(ratios.at(-1) ?? NaN)) < Math.log(RATIO_MAX)) break;
  }
  const isEqual = ratios.some((ratio) => Math.abs(Math.log(ratio)) < Math.log(RATIO_MAX));
  const list = ratios.map((ratio) => ratio.toFixed(3)).join(', ');
  return {
    done: { rounds: ratios.length, pairs: ratios.length * PAIRS },
    violations: isEqual ? [] : [`Medians of known to unknown names, by round: ${list}`],
  };
}

/** Returns the median time of known names in one round, divided by that of unknown ones. */
async function ratioOf(app: AgentkeepApp, names: readonly string[], round: number) {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const name = names[pair % names.length] ?? '';
    // The order alternates, so that neither kind benefits from it.
    if (pair % 2 === 0) known.push(await failedLogin(app, name));
    unknown.push(await failedLogin(app, `nobody-${round}-${pair}`));
    if (pair % 2 === 1) known.push(await failedLogin(app, name));
    if (pair % 8 === 7) await goodLogins(app, names);
  }
  await goodLogins(app, names);
  return median(known) / median(unknown);
}

/** Returns the time of a login with a wrong password, in milliseconds. */
async function failedLogin(app: AgentkeepApp, username: string): Promise<number> {
  const startedMs = performance.now();
  await logIn(app, { username, password: 'Wrong-horse-1', status: 401 });
  return performance.now() - startedMs;
}

/** Logs in with all names, which resets their failure counts. */
async function goodLogins(app: AgentkeepApp, names: readonly string[]): Promise<void> {
  for (const username of names) await logIn(app, { username, password: PASSWORD, status: 200 });
}

interface Attempt {
  readonly username: string;
  readonly password: string;
  /** The expected status. */
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
