/** Stores that released versions wrote, opened by this one. */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentFor, verifyAudit, verifyStore } from '@agentkeep/core/operator';
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answersOf, FOLDER, openFilled, unpackGolden } from './golden-store.js';

describe.each(readdirSync(FOLDER))('the store of release %s', (release) => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-golden-'));
  });

  afterEach(async () => {
    await rm(dataDir, { recursive: true });
  });

  test('answers what it answered then', async () => {
    const golden = await unpackGolden(release, dataDir);
    await using keep = await openFilled(dataDir);
    // A later release may add members.
    expect(await answersOf(keep, golden)).toMatchObject(golden.answers);
  });

  test('has no damage, and an audit log without a gap', async () => {
    await unpackGolden(release, dataDir);
    await using keep = await openFilled(dataDir);
    expect(await verifyAudit(keep)).toMatchObject({ status: 'verified' });
    await keep.close();
    expect(await verifyStore({ dataDir })).toMatchObject({ status: 'verified' });
  });

  test('takes more, and still has what it had', async () => {
    await unpackGolden(release, dataDir);
    const desk = { tenantId: COMPANY, subjectId: 'support', scopes: [scopes.desk] };
    const keep = await openFilled(dataDir);
    const agent = await agentFor(keep, desk);
    const before = await agent.memory.in(scopes.desk).count({});
    await agent.memory.in(scopes.desk).remember('Quokkas do not ride bicycles.');
    await keep.close();
    await using again = await openFilled(dataDir);
    const memory = (await agentFor(again, desk)).memory.in(scopes.desk);
    expect((await memory.count({})).matches).toBe(before.matches + 1);
    const [found] = await memory.recall('Do quokkas ride?');
    expect(found?.text).toContain('Quokkas');
  });
});
