/** Random histories of two or three capabilities at once keep what each of them promises. */
import { encryptionKeys } from '@agentkeep/core/operator';
import {
  type PairHistory,
  playPairHistories,
  triedCapabilities,
} from '@agentkeep/testkit/pair-histories';
import type { CapabilityName } from '@agentkeep/testkit/pair-matrix';
import { testStore } from '@agentkeep/testkit/test-store';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { scope, sharedScope } from '../harness/documents.js';
import { drivers } from '../harness/drivers.js';
import { tenant } from '../harness/fixture.js';
import { tokens } from '../users/user-fixture.js';
import { actionsOf, ordinary } from './history-actions.js';
import { checkHistory } from './history-checks.js';
import { type Action, type Actions, doomedScope, HistoryWorld } from './history-world.js';

/** Returns the actions of a capability by names that say whose they are. */
const named = (of: CapabilityName): readonly (readonly [string, Action])[] =>
  Object.entries(actionsOf[of] ?? {}).map(([name, action]) => [`${of} ${name}`, action]);

const everyAction: Actions = {
  ...ordinary,
  ...Object.fromEntries(triedCapabilities.flatMap(named)),
};

const names = {
  ordinary: Object.keys(ordinary),
  of: (capability: CapabilityName) => named(capability).map(([name]) => name),
};

async function newKeys() {
  const parent = await mkdtemp(join(tmpdir(), 'agentkeep-histories-'));
  const encryption = { keysDir: join(parent, 'keys'), rootKey: { file: join(parent, 'root.key') } };
  await encryptionKeys.make(encryption);
  return { parent, encryption };
}

async function play({ of, steps }: PairHistory): Promise<void> {
  const keys = of.includes('encryption') ? await newKeys() : undefined;
  const settings = { tokens, ...(keys === undefined ? {} : { encryption: keys.encryption }) };
  await using t = await tenant(drivers[0]!, testStore(), settings);
  const grants = [scope, sharedScope, doomedScope];
  const capabilities = ['memory_read', 'memory_write', 'memory_review'];
  const world = new HistoryWorld({
    ...{ t, master: await t.master(), alice: await t.agent({ capabilities, grants }) },
    ...{ bob: await t.agent({ subject_id: 'bob' }), encryption: keys?.encryption },
  });
  for (const [name, pick] of steps) await everyAction[name]?.(world, pick);
  await checkHistory(world);
  if (keys !== undefined) await rm(keys.parent, { recursive: true });
}

test('random histories of pairs keep what their capabilities promise', async () => {
  await playPairHistories(names, play, { seed: inject('seed'), numRuns: 8 });
});

test('every capability that is tried by steps has actions', () => {
  expect(triedCapabilities.filter((name) => actionsOf[name] === undefined)).toEqual([]);
});
