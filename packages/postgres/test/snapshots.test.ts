/** Snapshots are of data directories: what a server on PostgreSQL says about them. */
import { openKeep } from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant } from '@agentkeep/core/operator';
import { createServer, startServer } from '@agentkeep/server';
import { connectAdministrator } from '@agentkeep/server/client';
import { expect, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newTables } from './fixture.js';

type Snapshots = ReturnType<typeof connectAdministrator>['snapshots'];

/** Asks for everything about snapshots; returns what it was refused with. */
async function refusals(snapshots: Snapshots): Promise<unknown[]> {
  const asked = await Promise.allSettled([
    snapshots.create(),
    snapshots.list(),
    snapshots.schedule(),
    snapshots.setSchedule({ everySeconds: 3_600, keep: 8 }),
    snapshots.setSchedule({ everySeconds: 3_600, keep: 8, expectedRevision: 7 }),
    snapshots.setSchedule({}),
  ]);
  return asked.map((each): unknown => (each.status === 'rejected' ? each.reason : each));
}

test('SNP-33, SNP-34, SNP-35 a server on PostgreSQL has no snapshots, and says what to do', async () => {
  const options = newTables();
  await using keep = await openKeep({ store: postgresStore(options) });
  await using other = await openKeep({ store: postgresStore(options) });
  const { secret } = await bootstrapMaster(keep, 'root');
  const advice = expect.stringMatching(/no snapshots.*back up its database/) as unknown;
  const refusal: unknown = expect.objectContaining({ code: 'no_data_directory', message: advice });
  const isRefused = Array.from({ length: 6 }, () => refusal);
  for (const each of [keep, other]) {
    expect(await refusals((await each.administer(secret)).snapshots)).toEqual(isRefused);
  }
  // A refusal stores no schedule, and records no change.
  const { audit } = await keep.administer(secret);
  const resources = (await audit.queryPage()).events.map(({ resource }) => resource);
  expect(resources).toContain('createSnapshot');
  expect(resources).not.toContain('snapshot_schedule');

  const server = await startServer(createServer(keep), { host: '127.0.0.1', port: 0 });
  const remote = connectAdministrator({ url: server.url, secret });
  const said: unknown = expect.objectContaining({ code: 'internal_error', message: advice });
  expect(await refusals(remote.snapshots)).toEqual(isRefused.map(() => said));
  // Who may not ask learns nothing about the store.
  const { secret: foreign } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const forbidden: unknown = expect.objectContaining({ code: 'forbidden' });
  const outsider = connectAdministrator({ url: server.url, secret: foreign });
  expect(await refusals(outsider.snapshots)).toEqual(isRefused.map(() => forbidden));
  await server.stop();
});
