/**
 * The cases of all targets with the bucket whose address AGENTKEEP_TEST_BUCKET has, and credentials
 * in the environment: for a service that runs elsewhere. What they create stays below a prefix of
 * their own.
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { replicaTargetCases } from '../../../../test/replica-kit.js';
import { openReplicaTarget } from './open-replica-target.js';

const named = process.env['AGENTKEEP_TEST_BUCKET'];
const run = `cases-${String(Date.now())}`;

const address = (name: string): string => {
  const url = new URL(named ?? 's3://none');
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${run}/${name}`;
  return url.href;
};

describe.runIf(named !== undefined)('a bucket of a service', () => {
  replicaTargetCases({
    name: 'AGENTKEEP_TEST_BUCKET',
    open: () => openReplicaTarget(address('cases')),
  });

  test('a file of several parts goes there once', async () => {
    const home = await mkdtemp(join(tmpdir(), 'agentkeep-service-'));
    const target = await openReplicaTarget(address('parts'));
    const source = join(home, 'source');
    const file = await open(source, 'w');
    await file.truncate(40_000_000);
    await file.close();
    expect(await target.createFrom('parts/a', source)).toBe(true);
    expect(await target.createFrom('parts/a', source)).toBe(false);
    expect(await target.readTo('parts/a', join(home, 'copy'))).toBe(true);
    await target.remove('parts/a');
    await target.close();
    await rm(home, { recursive: true });
  });
});
