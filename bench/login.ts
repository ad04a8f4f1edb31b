/**
 * Benchmarks logins with real password hashing and their cost to other work: the longest pause of
 * the event loop, and the rate of commands beside them.
 */
import { createAdmin } from '@agentkeep/core/operator';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { inFlight, type Reading } from './measure.js';
import { longestHoldMs } from './loop-holds.js';

/** The amount of work. */
export interface LoginLoad {
  readonly logins: number;
  /** People who log in concurrently. */
  readonly people: number;
  readonly commands: number;
}

const FULL: LoginLoad = { logins: 400, people: 16, commands: 4_000 };
const WRITERS = 16;
const PASSWORD = 'Correct-horse-1';

/** Three readings: logins alone, commands alone, and both together. */
export async function* loginBenchmarks(load: LoginLoad = FULL): AsyncGenerator<Reading, void> {
  await using directory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
  const names = Array.from({ length: load.people }, (_, index) => `person ${index}`);
  for (const username of names) {
    await createAdmin(keep, { username, password: PASSWORD, tenantId: 'bench' });
  }
  const logIn = (): Promise<void> =>
    inFlight(load.people, load.logins, async (index) => {
      const username = names[index % names.length] ?? '';
      await keep.logIn({ username, password: PASSWORD, tenantId: 'bench' });
    });
  let made = 0;
  const write = (): Promise<void> =>
    inFlight(WRITERS, load.commands, async () => {
      made += 1;
      const idempotencyKey = `login bench ${made}`;
      await agent.memory.in(scope).create(recordAt(made), { idempotencyKey });
    });
  // The first login generates the signing key.
  await keep.logIn({ username: names[0] ?? '', password: PASSWORD, tenantId: 'bench' });

  yield { name: 'logins alone', figures: await observed(logIn, load.logins, 'logins') };
  yield { name: 'commands alone', figures: await observed(write, load.commands, 'commands') };
  const [logins, commands] = await Promise.all([
    observed(logIn, load.logins, 'logins'),
    observed(write, load.commands, 'commands'),
  ]);
  yield { name: 'logins and commands', figures: { ...commands, ...logins } };
  await keep.close();
}

/** Returns the rate of some work, and the pauses of the event loop during it. */
async function observed(
  work: () => Promise<void>,
  count: number,
  what: string,
): Promise<Reading['figures']> {
  const startedMs = performance.now();
  const heldMs = await longestHoldMs(work);
  const tookMs = performance.now() - startedMs;
  return {
    [`${what}_per_second`]: (count * 1_000) / tookMs,
    longest_pause_ms: heldMs,
  };
}
