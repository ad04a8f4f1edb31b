/** Snapshots that are being made while an erasure ends (docs/contract/erasure.md#era-16). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import { agentFor, listSnapshots } from '../../operator.js';
import { runtimeOf } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { makeSnapshot } from './make-snapshot.js';

test('ERA-16 a certificate lists a snapshot whose copy was begun before it', async () => {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-copies-'));
  const dataDir = join(home, 'data');
  const clock = new ManualClock();
  await using keep = await openKeep({ dataDir, clock });
  const of = { tenantId: 'acme', scopes: [] } as const;
  const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
  const ann = await agentFor(keep, { ...of, subjectId: 'ann', scopes: [scope] });
  await ann.memory.in(scope).remember('in the copy');
  const capabilities = ['credential_admin'] as const;
  const admin = await agentFor(keep, { ...of, subjectId: 'ops', capabilities });

  const target = { kind: 'subject', subject_id: 'ann' } as const;
  let listed: unknown;
  const made = await makeSnapshot({
    dataDir,
    clock,
    backup: async (directory) => {
      await runtimeOf(keep).backend.backup(directory);
      clock.advance(1_000);
      const { id } = await admin.erasures.start(target);
      listed = await eventually(async () => {
        const { certificate } = await admin.erasures.get(id);
        expect(certificate).not.toBeNull();
        const claims = Buffer.from(certificate!.split('.')[1]!, 'base64url').toString();
        return (JSON.parse(claims) as { beyond_reach: unknown }).beyond_reach;
      });
      expect((await listSnapshots(keep)).count).toBe(0);
    },
  });
  const copy = {
    kind: 'snapshot',
    id: made.snapshot_id,
    created_at: new Date(clock.now() - 1_000).toISOString(),
  };
  expect(listed).toContainEqual(copy);
  const [complete] = (await listSnapshots(keep)).snapshots;
  expect(complete).toMatchObject({ snapshot_id: copy.id, created_at: copy.created_at });
  await keep.close();
  await rm(home, { recursive: true });
});
