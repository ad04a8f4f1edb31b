/**
 * A server whose writes wait for a replication target starts, serves reads and stops while the
 * target is away.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, connect } from '@agentkeep/client';
import { BucketServer } from '@agentkeep/testkit/bucket-server';
import { eventually } from '@agentkeep/testkit/eventually';
import { bootstrapTenant, ServerProcess } from '@agentkeep/testkit/server-process';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
let bucket: BucketServer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentkeep-replicated-'));
  bucket = await BucketServer.start();
});

afterEach(async () => {
  await bucket.close();
  await rm(folder, { recursive: true });
});

// docs/contract/replication.md#rep-13
test('REP-13 a server starts and stops while its target is away, and sends it later', async () => {
  const dataDir = join(folder, 'data');
  const secret = bootstrapTenant(dataDir, 'acme');
  const words = ['--replicate-to', bucket.address('acme'), '--replicate-mode', 'acknowledged'];
  const variables = bucketCredentials();
  const issue = async (agent: Agent): Promise<unknown> =>
    agent.credentials.issue({ subject_id: 'ann', capabilities: ['memory_read'], grants: [] });

  bucket.gate = (_request, response) => {
    response.writeHead(503).end();
    return 'answered';
  };
  const server = new ServerProcess(dataDir, { words, variables });
  const url = await server.listens();
  const admin = connect({ url, secret });
  expect((await admin.whoAmI()).spec.subject_id).toBe('ops');
  await expect(issue(admin)).rejects.toMatchObject({
    code: 'replica_unavailable',
  });
  expect(await server.stop()).toBe(0);

  bucket.gate = () => 'pass';
  const back = new ServerProcess(dataDir, { words, variables });
  const again = connect({ url: await back.listens(), secret });
  await eventually(() => issue(again));
  expect(await back.stop()).toBe(0);
});

/** Those that the bucket put into the environment of this process. */
function bucketCredentials(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name.startsWith('AWS_')),
  ) as Record<string, string>;
}
