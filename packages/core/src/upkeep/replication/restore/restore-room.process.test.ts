/** Restoring from a target where the disk gets short: nothing is left, and enough stays free. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ReplicatedStore } from '../../../../test/replicated-store.js';
import { restoreReplica } from '../../../operator.js';
import { storeError } from '../../../storage/store/store-error.js';
import { listBaseCopies } from '../copies/base-copy.js';
import { rebuildReplica } from './rebuild-replica.js';

let home: string;
let source: ReplicatedStore;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-room-'));
  source = await ReplicatedStore.open(join(home, 'data'), join(home, 'target'));
  for (let at = 1; at <= 3; at += 1) {
    await source.store.transact((tx) => {
      tx.put(Buffer.of(at), Buffer.of(at));
    });
    await source.ship();
  }
});

afterEach(async () => {
  await source.store.close();
  await rm(home, { recursive: true });
});

test('REP-50 a restore that would leave too little free begins nothing', async () => {
  const dataDir = join(home, 'restored');
  const restoring = restoreReplica({
    from: join(home, 'target'),
    dataDir,
    reserveBytes: Number.MAX_SAFE_INTEGER,
  });
  await expect(restoring).rejects.toMatchObject({
    code: 'store_full',
    cause: { message: expect.stringMatching(/has \d+ MiB free; \d+ MiB are needed/u) },
  });
  expect(await readdir(dataDir)).toEqual([]);
});

test('REP-50 the room is looked at before the base copy, and after each slot', async () => {
  const [base] = await listBaseCopies(source.target);
  if (base === undefined) throw new Error('There is no base copy.');
  const asked: number[] = [];
  const requireRoom = (bytes: number): void => {
    asked.push(bytes);
    if (asked.length === 3) throw storeError('store_full', 'full');
  };
  const rebuilding = rebuildReplica(source.target, base, join(home, 'staging'), { requireRoom });
  await expect(rebuilding).rejects.toMatchObject({ code: 'store_full' });
  expect(asked).toEqual([base.sizeBytes, 0, 0]);
});
