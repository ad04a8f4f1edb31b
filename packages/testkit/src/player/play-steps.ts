/**
 * Plays a history from its steps, and finds the fewest steps that still go wrong.
 */
import { generateKeyPairSync } from 'node:crypto';
import { peoplePorts } from '../test-sign-in.js';
import {
  capabilities,
  type CredentialSpecInput,
  type Keep,
  type NewSecret,
  openKeep,
} from '@agentkeep/core';
import {
  bootstrapMaster,
  bootstrapTenant,
  createAdmin,
  verifyAudit,
} from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { joinCredential } from './areas/credentials.js';
import { joinGlobal } from './areas/installation.js';
import { operatorAccount } from './areas/users.js';
import { Mismatch } from './compare.js';
import { Dice } from './dice.js';
import { Play } from './play.js';
import type { KeepStorage } from './keep-storage.js';
import type { Rule } from './rule.js';
import { closingRules, rules } from './rules.js';
import type { Tally } from './tally.js';
import { GRANTED, PASSWORDS, TENANTS } from './vocabulary.js';
import { World } from '../models/world.js';

/** A step: its rule, and the seed of its choices. */
export interface Step {
  readonly rule: string;
  readonly seed: number;
}

/** Made once, because it takes long. */
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Dice draw whole numbers only. */
const SHARES = 1_000;

/** Draws steps from a seed. */
export function stepsOf(seed: number, count: number, from: readonly Rule[] = rules): Step[] {
  const dice = new Dice(seed);
  const weights = from.reduce((sum, { weight }) => sum + weight, 0);
  return Array.from({ length: count }, () => {
    let left = dice.below(weights * SHARES) / SHARES;
    const rule = from.find(({ weight }) => (left -= weight) < 0) ?? from[0]!;
    return { rule: rule.name, seed: dice.below(0x1_0000_0000) };
  });
}

/** The steps that end a history: everything is asked for again. */
export const closingSteps: readonly Step[] = closingRules.map((rule) => ({ rule, seed: 0 }));

/** Plays steps at a place, and removes it. Returns what went wrong, if anything did. */
export async function playSteps(
  steps: readonly Step[],
  storage: KeepStorage,
  tally: Tally,
): Promise<string | undefined> {
  const clock = new ManualClock();
  const ports = { clock, passwords: quickPasswords, tokens: { privateKeyPem }, ...peoplePorts };
  const open = (): Promise<Keep> => openKeep({ ...storage.options(), ...ports });
  const play: Play = new Play({
    ...{ world: new World(clock.now()), clock, keep: await open(), tally, dice: new Dice(0) },
    isOnDisk: storage.isOnDisk,
    reopen: async (isCrash) => {
      const isCut = isCrash && storage.cut();
      // Without its data it can't close in order.
      await play.keep.close().catch((error: unknown) => {
        if (!isCut) throw error;
      });
      return open();
    },
  });
  try {
    await prepare(play);
    return await playAll(play, steps);
  } finally {
    await play.keep.close();
    await storage[Symbol.asyncDispose]();
  }
}

/** Makes the tenants, callers and administrators of every history. */
async function prepare(play: Play): Promise<void> {
  const { keep, world } = play;
  for (const tenantId of TENANTS) {
    const made = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
    world.tenants.set(tenantId, { registration: null });
    world.credentials.add(made.credential);
    joinCredential(play, made);
    const rights = capabilities.filter((each) => each !== 'credential_admin');
    for (const subject of ['ann', 'ann', 'bob']) {
      await issueCredential(play, made, { subject_id: subject, capabilities: rights });
    }
    await issueCredential(play, made, { subject_id: 'chief', capabilities: [...capabilities] });
  }
  const master = await bootstrapMaster(keep, 'root');
  const { id, spec } = master.credential;
  world.globals.set(id, {
    ...{ id, isMaster: true, subject: 'root', capabilities: spec.capabilities, expiresAt: null },
    ...{ history: ['bootstrapped'], revokedAt: null, secretNumber: 0, previousEndsAt: 0 },
  });
  joinGlobal(play, master);
  const root = await createAdmin(keep, { username: 'root', password: PASSWORDS[0] });
  operatorAccount(play, root.id, 'root');
}

/** Issues a credential for all scopes that are granted. */
async function issueCredential(
  play: Play,
  admin: NewSecret,
  rights: Pick<CredentialSpecInput, 'subject_id' | 'capabilities'>,
): Promise<void> {
  const { keep, world } = play;
  const spec = { ...rights, grants: [...GRANTED] };
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
