/**
 * Plays a history from its steps, and finds the fewest steps that still go wrong.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  capabilities,
  inMemoryStore,
  type Keep,
  type KeepOptions,
  type NewSecret,
  openKeep,
  type Store,
} from '@agentkeep/core';
import {
  bootstrapMaster,
  bootstrapTenant,
  createAdmin,
  verifyAudit,
} from '@agentkeep/core/operator';
import { ManualClock, quickPasswords, storeOver } from '@agentkeep/core/testing';
import { joinCredential } from './areas/credentials.js';
import { joinGlobal } from './areas/installation.js';
import { operatorAccount } from './areas/users.js';
import { Mismatch } from './compare.js';
import { Dice } from './dice.js';
import { Play } from './play.js';
import { rules } from './rules.js';
import type { Tally } from './tally.js';
import { PASSWORDS, SCOPES, TENANTS } from './vocabulary.js';
import { World } from '../models/world.js';

/** A step: which sort, and where its choices come from. */
export interface Step {
  readonly rule: string;
  readonly seed: number;
}

/** Where a history takes place. */
export type Medium = 'memory' | 'disk';

/** Made once, because it takes long. */
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const weights = rules.reduce((sum, { weight }) => sum + weight, 0);
/** Dice know whole numbers only. */
const SHARES = 1_000;

/** The steps of a seed. */
export function stepsOf(seed: number, count: number): Step[] {
  const dice = new Dice(seed);
  return Array.from({ length: count }, () => {
    let left = dice.below(weights * SHARES) / SHARES;
    const rule = rules.find(({ weight }) => (left -= weight) < 0) ?? rules[0]!;
    return { rule: rule.name, seed: dice.below(0x1_0000_0000) };
  });
}

/** Plays steps; gives what went wrong, if anything did. */
export async function playSteps(
  steps: readonly Step[],
  medium: Medium,
  tally: Tally,
): Promise<string | undefined> {
  const home = medium === 'disk' ? await mkdtemp(join(tmpdir(), 'agentkeep-model-')) : undefined;
  const clock = new ManualClock();
  const store = lasting(inMemoryStore());
  const place =
    home === undefined
      ? { store }
      : { dataDir: join(home, 'data'), reserveBytes: 0, durability: 'relaxed' as const };
  const ports = { clock, passwords: quickPasswords, tokens: { privateKeyPem } };
  const options: KeepOptions = { ...place, ...ports };
  let keep = await openKeep(options);
  const play: Play = new Play({
    ...{ world: new World(clock.now()), clock, keep, tally, dice: new Dice(0) },
    isOnDisk: home !== undefined,
    reopen: async () => {
      await keep.close();
      keep = await openKeep(options);
      play.keep = keep;
    },
  });
  try {
    await prepare(play);
    return await playAll(play, steps);
  } finally {
    await keep.close();
    if (home !== undefined) await rm(home, { recursive: true, force: true });
  }
}

/** A store in memory that outlives the keeps over it. */
function lasting(store: Store): Store {
  return storeOver(store, { close: () => Promise.resolve() });
}

/** What every history begins with. */
async function prepare(play: Play): Promise<void> {
  const { keep, world } = play;
  for (const tenantId of TENANTS) {
    const made = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
    world.tenants.set(tenantId, { registration: null });
    world.credentials.add(made.credential);
    joinCredential(play, made);
    for (const subject of ['ann', 'bob']) await hire(play, made, subject);
  }
  const master = await bootstrapMaster(keep, 'root');
  const { id, spec } = master.credential;
  world.globals.set(id, {
    ...{ id, isMaster: true, subject: 'root', capabilities: spec.capabilities, expiresAt: null },
    ...{ history: ['bootstrapped'], revokedAt: null, secretNumber: 0 },
  });
  joinGlobal(play, master);
  const root = await createAdmin(keep, { username: 'root', password: PASSWORDS[0] });
  operatorAccount(play, root.id, 'root');
}

/** Issues a credential that may do everything that agents do. */
async function hire(play: Play, admin: NewSecret, subject_id: string): Promise<void> {
  const { keep, world } = play;
  const some = capabilities.filter((each) => each !== 'credential_admin');
  const spec = { subject_id, capabilities: some, grants: [...SCOPES] };
  const made = await (await keep.authenticate(admin.secret)).credentials.issue(spec);
  world.credentials.add(made.credential);
  joinCredential(play, made);
}

async function playAll(play: Play, steps: readonly Step[]): Promise<string | undefined> {
  for (const [index, { rule: name, seed }] of steps.entries()) {
    play.dice = new Dice(seed);
    try {
      await rules.find((each) => each.name === name)!.run(play);
    } catch (error) {
      const why = error instanceof Mismatch ? error.message : String((error as Error).stack);
      return `step ${index + 1} (${name}): ${why}`;
    }
  }
  return brokenChain(play.keep);
}

async function brokenChain(keep: Keep): Promise<string | undefined> {
  const report = await verifyAudit(keep);
  return report.status === 'verified' ? undefined : `the audit log: ${JSON.stringify(report)}`;
}
