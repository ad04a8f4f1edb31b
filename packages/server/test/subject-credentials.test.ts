/** `agentFor()` over a server: one credential for each subject, whose secret a file keeps. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentFor, type SubjectOptions } from '@agentkeep/client/operator';
import { connect, type ConnectOptions, type Credential } from '@agentkeep/client';
import { openKeep, type Keep, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createServer } from '../src/http/create-server.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const other: ScopeInput = { ...scope, project_id: 'q' };

let keep: Keep;
let folder: string;
let server: ConnectOptions;
let ann: SubjectOptions;

beforeEach(async () => {
  keep = await openKeep({ store: testStore() });
  folder = await mkdtemp(join(tmpdir(), 'agentkeep-secrets-'));
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  server = { url: 'http://localhost', secret, fetch: createServer(keep).request };
  ann = { subject: 'ann', secretFile: join(folder, 'ann.secret') };
});

afterEach(async () => {
  await keep.close();
  await rm(folder, { recursive: true });
});

async function credentialsOf(subjectId: string): Promise<Credential[]> {
  const found: Credential[] = [];
  for await (const each of connect(server).credentials.list()) {
    if (each.spec.subject_id === subjectId) found.push(each);
  }
  return found;
}

async function refusal(options: SubjectOptions): Promise<unknown> {
  return agentFor(server, options).then(
    () => 'an agent',
    (error: unknown) => error,
  );
}

test('the first run keeps a secret for its user alone, and a second run finds it', async () => {
  const first = await agentFor(server, ann);
  const { record_id } = await first.memory.remember('Ann prefers short answers.');
  expect((await stat(ann.secretFile)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['ann.secret']);
  const second = await agentFor(server, ann);
  expect(await second.whoAmI()).toEqual(await first.whoAmI());
  const [found] = await second.memory.recall('How should I answer Ann?');
  expect(found?.record.record_id).toBe(record_id);
  expect(await credentialsOf('ann')).toHaveLength(1);
});

test('runs that start at once share one credential', async () => {
  const agents = await Promise.all(Array.from({ length: 6 }, () => agentFor(server, ann)));
  const ids = await Promise.all(agents.map(async (agent) => (await agent.whoAmI()).id));
  expect(new Set(ids).size).toBe(1);
  const live = (await credentialsOf('ann')).filter((each) => each.revoked_at_millis === null);
  expect(live.map(({ id }) => id)).toEqual([ids[0]]);
  expect(await readdir(folder)).toEqual(['ann.secret']);
});

test('a subject alone has a private scope of its own; scopes are added and replaced', async () => {
  const agent = await agentFor(server, ann);
  const own = { project_id: 'default', mission_id: null, agent_id: 'default' };
  const { tenant_id, spec } = await agent.whoAmI();
  expect(tenant_id).toBe('acme');
  expect(spec.capabilities).toEqual(['memory_read', 'memory_write']);
  expect(spec.grants).toEqual([{ ...own, visibility: 'private' }]);
  const added = await agentFor(server, { ...ann, scopes: [scope] });
  const { record_id } = await added.memory.remember('Tea.');
  expect((await agent.memory.in(scope).read(record_id)).record_id).toBe(record_id);
  expect((await agent.whoAmI()).spec.grants).toHaveLength(2);
  await agentFor(server, { ...ann, scopes: [scope] });
  expect((await agent.whoAmI()).revision).toBe(2);
  await agentFor(server, { ...ann, scopes: [other], replace: true });
  expect((await agent.whoAmI()).spec.grants).toEqual([{ ...other, mission_id: null }]);
  const named = await agentFor(server, { ...ann, agent: 'support' });
  await named.memory.remember('Coffee.');
  expect((await agent.whoAmI()).spec.grants).toHaveLength(2);
});

describe('a kept secret that no longer proves', () => {
  test('is replaced only on request', async () => {
    const { id, revision } = await (await agentFor(server, ann)).whoAmI();
    await connect(server).credentials.revoke(id, revision);
    expect(await refusal(ann)).toMatchObject({ code: 'credential_revoked' });
    const renewed = await agentFor(server, { ...ann, renew: true });
    expect((await renewed.whoAmI()).id).not.toBe(id);
    expect((await (await agentFor(server, ann)).whoAmI()).id).toBe((await renewed.whoAmI()).id);
    expect((await stat(ann.secretFile)).mode & 0o777).toBe(0o600);
  });

  test('with other capabilities is revoked when it is replaced', async () => {
    const { id } = await (await agentFor(server, ann)).whoAmI();
    const reader: SubjectOptions = { ...ann, capabilities: ['memory_read'] };
    expect(await refusal(reader)).toMatchObject({ code: 'capabilities_differ' });
    const agent = await agentFor(server, { ...reader, renew: true });
    const [old, current] = await credentialsOf('ann');
    expect(old).toMatchObject({ id, history: [{}, { action: 'revoked' }] });
    expect(current).toEqual(await agent.whoAmI());
  });

  test('is not used for another subject', async () => {
    await agentFor(server, ann);
    expect(await refusal({ ...ann, subject: 'bob' })).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('`secretFile`: expected a file of its own') as string,
    });
    expect(await credentialsOf('bob')).toEqual([]);
  });
});

describe('wrong use', () => {
  test.each<[string, object]>([
    ['subject', { subject: undefined }],
    ['secretFile', { secretFile: undefined }],
    ['tenantId', { tenantId: 'acme' }],
    ['agent', { agent: 'support', scopes: [scope] }],
  ])('%s is named, and nothing is sent', async (path, members) => {
    const error = await refusal({ ...ann, ...members });
    expect(error).toMatchObject({ code: 'invalid_request', members: [{ path }] });
    expect((error as Error).message).toContain(`\`${path}\``);
    expect(await readdir(folder)).toEqual([]);
  });

  test('a file that cannot be made is named before anything is issued', async () => {
    const missing = { ...ann, secretFile: join(folder, 'missing', 'ann.secret') };
    expect(await refusal(missing)).toMatchObject({
      code: 'invalid_request',
      message: 'agentFor(): `secretFile` cannot be made (ENOENT); nothing was sent.',
    });
    expect(await credentialsOf('ann')).toEqual([]);
  });

  test('a secret that is no administrator leaves no file', async () => {
    const agent = await agentFor(server, ann);
    const secret = (await readFile(ann.secretFile, 'utf8')).trim();
    expect((await agent.whoAmI()).spec.capabilities).not.toContain('credential_admin');
    const bob = { subject: 'bob', secretFile: join(folder, 'bob.secret') };
    await expect(agentFor({ ...server, secret }, bob)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await readdir(folder)).toEqual(['ann.secret']);
    await writeFile(bob.secretFile, 'no secret\n');
    await expect(agentFor(server, bob)).rejects.toMatchObject({ code: 'credential_revoked' });
  });
});
