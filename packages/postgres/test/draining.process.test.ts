/** Clients of several servers go on at another one, while one of them stops or is gone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { connect } from '@agentkeep/server/client';
import { runCommand } from '@agentkeep/testkit/agentkeep-process';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { afterEach, expect, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newDatabaseUrl } from './fixture.js';

const started: ServerProcess[] = [];
let home = '';

afterEach(async () => {
  for (const server of started.splice(0)) await server.kill();
  await rm(home, { recursive: true, force: true });
});

test('CON-196 calls go to the next server when one stops or is gone', async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-draining-'));
  const store = await newDatabaseUrl();
  const keep = await openKeep({ store: postgresStore({ url: store }) });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  await keep.close();
  const start = async (at: number): Promise<string> => {
    const words = ['--store-url', store];
    const server = new ServerProcess(join(home, String(at)), { words });
    started.push(server);
    return server.listens();
  };
  const urls = [await start(0), await start(1)];
  // A second try is the last, and comes at once: a wait would be too long for the total.
  const retry = {
    tries: 2,
    totalMillis: 60_000,
    firstWaitMillis: 50_000,
    longestWaitMillis: 50_000,
  };
  const agent = connect({ url: urls, secret, retry });
  expect((await agent.whoAmI()).tenant_id).toBe('acme');
  expect(await started[0]!.stop()).toBe(0);
  const began = performance.now();
  expect((await agent.whoAmI()).tenant_id).toBe('acme');
  expect(performance.now() - began).toBeLessThan(25_000);
  const variables = { AGENTKEEP_URL: urls.join(','), AGENTKEEP_SECRET: secret };
  const shown = await runCommand(['whoami', '--json'], variables);
  expect(shown).toMatchObject({ status: 0, error: '' });
  expect(shown.out).toContain('"acme"');
});
