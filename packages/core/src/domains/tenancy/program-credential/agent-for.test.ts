/** Tests of `agentFor()`: one durable credential for each subject, without a secret. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, twoServers } from '../../../../test/servers.js';
import { testStore } from '@agentkeep/testkit/test-store';
import type { ScopeInput } from '../../../kernel/access/scope.js';
import type { Agent } from '../../../client/agent.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { Keep } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor, bootstrapTenant } from '../../../operator.js';
import type { Credential } from '../credential/schema.js';
import type { AgentOptions } from './agent-options.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const other: ScopeInput = { ...scope, project_id: 'q', mission_id: 'm' };
const helper: AgentOptions = { tenantId: 'acme', subjectId: 'helper', scopes: [scope] };
const boss: AgentOptions = {
  tenantId: 'acme',
  subjectId: 'boss',
  scopes: [],
  capabilities: ['credential_admin', 'policy_admin'],
};
const content = { primary: 'text' };
const record = { episode_type: 'Observation', content, event_time_millis: 0 } as const;

let keep: Keep;

beforeEach(async () => {
  keep = await openKeep({ store: testStore() });
});

afterEach(() => keep.close());

const write = (agent: Agent, at: ScopeInput, idempotencyKey: string) =>
  agent.memory.in(at).create(record, { idempotencyKey });

async function credentialsOf(subjectId: string): Promise<Credential[]> {
  const found: Credential[] = [];
  for await (const each of (await agentFor(keep, boss)).credentials.list()) {
    if (each.spec.subject_id === subjectId) found.push(each);
  }
  return found;
}

/** Returns the logged changes to the credential of a subject, oldest first. */
async function changesOf({ id }: Credential): Promise<unknown[]> {
  const changes: unknown[] = [];
  for await (const event of (await agentFor(keep, boss)).audit.query()) {
    const { change, principal } = event.metadata;
    if (event.resource === `credential:${id}`)
      changes.unshift(`${String(principal)} ${String(change)}`);
  }
  return changes;
}

test('the first call creates tenant and credential, and records both', async () => {
  const agent = await agentFor(keep, helper);
  const credential = await agent.whoAmI();
  expect(credential).toMatchObject({
    tenant_id: 'acme',
    spec: {
      subject_id: 'helper',
      capabilities: ['memory_read', 'memory_write'],
      grants: [{ ...scope, mission_id: null }],
      expires_at_millis: null,
    },
    revision: 1,
    history: [{ action: 'issued', actor_id: credential.id }],
  });
  const { record_id } = await write(agent, scope, 'k');
  expect((await agent.memory.in(scope).read(record_id)).author.subject_id).toBe('helper');
  expect(await codeOf(write(agent, other, 'k'))).toBe('forbidden');
  expect(await credentialsOf('helper')).toEqual([credential]);
  expect(await changesOf(credential)).toEqual(['operator issued']);
});

test('a later call finds the same credential and changes nothing', async () => {
  const first = await (await agentFor(keep, { ...helper, scopes: [scope, other] })).whoAmI();
  const again = { ...helper, scopes: [other, { ...scope, mission_id: null }, scope] };
  const second = await agentFor(keep, { ...again, capabilities: ['memory_write', 'memory_read'] });
  expect(await second.whoAmI()).toEqual(first);
  expect(await (await agentFor(keep, { ...again, renew: true })).whoAmI()).toEqual(first);
  expect(await changesOf(first)).toHaveLength(1);
});

test('a second opening of the directory finds it too', async () => {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-agent-for-'));
  const ids: string[] = [];
  for (const key of ['one', 'two']) {
    await using opened = await openKeep({ dataDir: join(home, 'data'), durability: 'relaxed' });
    const agent = await agentFor(opened, helper);
    await write(agent, scope, key);
    ids.push((await agent.whoAmI()).id);
    const records = (await agent.memory.in(scope).queryPage()).records;
    expect(records).toHaveLength(ids.length);
  }
  expect(ids[0]).toBe(ids[1]);
  await rm(home, { recursive: true });
});

test('concurrent calls of several processes share one credential', async () => {
  await using servers = await twoServers();
  const agents = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      agentFor((at % 2 === 0 ? servers.one : servers.other).keep, helper),
    ),
  );
  const ids = await Promise.all(agents.map(async (agent) => (await agent.whoAmI()).id));
  expect(new Set(ids).size).toBe(1);
  const { credentials } = await agentFor(servers.other.keep, boss);
  expect((await credentials.listPage()).items).toHaveLength(2);
});

test('a subject alone has the tenant default and a private scope of its own', async () => {
  const agent = await agentFor(keep, { subject: 'ann' });
  const { tenant_id, spec } = await agent.whoAmI();
  expect(tenant_id).toBe('default');
  expect(spec.subject_id).toBe('ann');
  const { record_id } = await agent.memory.remember('Ann prefers short answers.', {
    name: 'style',
  });
  const at = { project_id: 'default', agent_id: 'default', visibility: 'private' } as const;
  expect((await agent.memory.in(at).read(record_id)).name).toBe('style');
  // Every other method of the memory acts in that scope too.
  const { memory } = agent;
  expect((await memory.read({ name: 'style' }))?.record_id).toBe(record_id);
  expect((await memory.queryPage({ text_contains: 'short' })).records).toHaveLength(1);
  expect((await memory.searchPage({}, { limit: 1 })).matches[0]?.scope).toMatchObject(at);
  expect(await memory.count()).toMatchObject({ matches: 1 });
  await memory.batch([{ type: 'remove', name: 'style' }]);
  expect(await memory.read({ name: 'style' })).toBeUndefined();
  expect(await codeOf(agentFor(keep, { subject: 'ann', subjectId: 'ann' }))).toBe(
    'invalid_request',
  );
  expect(await codeOf(agentFor(keep, { agent: 'support', subject: 'ann', scopes: [] }))).toBe(
    'invalid_request',
  );
  expect(await codeOf(agentFor(keep, {}))).toBe('invalid_request');
});

describe('other scopes', () => {
  test('are added, and the ones that an agent had stay', async () => {
    const before = await agentFor(keep, helper);
    const agent = await agentFor(keep, { ...helper, scopes: [other] });
    expect((await agent.whoAmI()).spec.grants).toEqual([{ ...scope, mission_id: null }, other]);
    await write(before, scope, 'k');
    await write(agent, other, 'k');
    const { revision } = await agent.whoAmI();
    for (const scopes of [[scope], [other]]) await agentFor(keep, { ...helper, scopes });
    expect((await agent.whoAmI()).revision).toBe(revision);
  });

  test('replace the earlier ones where that is said, also for existing agents', async () => {
    const before = await agentFor(keep, helper);
    const { id } = await before.whoAmI();
    const agent = await agentFor(keep, { ...helper, scopes: [other], replace: true });
    const credential = await agent.whoAmI();
    expect(credential).toMatchObject({ id, revision: 2, spec: { grants: [other] } });
    expect(credential.history[1]).toMatchObject({
      action: 'scope_authority_changed',
      scope_authority_change: {
        previous: { grants: [{ ...scope, mission_id: null }] },
        current: { grants: [other] },
      },
    });
    await write(before, other, 'k');
    expect(await codeOf(write(agent, scope, 'k'))).toBe('forbidden');
    expect(await changesOf(credential)).toEqual([
      'operator issued',
      'operator scope_authority_changed',
    ]);
  });

  test('replace what an administrator set where that is said', async () => {
    const { id } = await (await agentFor(keep, helper)).whoAmI();
    const all = { mode: 'all' } as const;
    await (
      await agentFor(keep, boss)
    ).credentials.changeScopeAuthority(id, 1, {
      grants: [],
      scope_policy: {
        version: 'company_scopes_v1',
        projects: all,
        agents: all,
        missions: all,
        allow_unassigned_mission: true,
        visibilities: ['shared'],
      },
    });
    const kept = await (await agentFor(keep, helper)).whoAmI();
    expect(kept.spec.scope_policy?.visibilities).toEqual(['shared']);
    const replaced = await agentFor(keep, { ...helper, replace: true });
    const { spec, revision } = await replaced.whoAmI();
    expect(revision).toBe(4);
    expect(spec.scope_policy).toBeUndefined();
    expect(spec.grants).toEqual([{ ...scope, mission_id: null }]);
  });
});

describe('a revoked credential', () => {
  test('ends its agents, and the credential is replaced only on request', async () => {
    const agent = await agentFor(keep, helper);
    const { id } = await agent.whoAmI();
    await (await agentFor(keep, boss)).credentials.revoke(id, 1);
    expect(await codeOf(agent.whoAmI())).toBe('unauthorized');
    await expect(agentFor(keep, helper)).rejects.toMatchObject({
      code: 'credential_revoked',
      message: expect.stringContaining('renew: true') as string,
    });
    const renewed = await agentFor(keep, { ...helper, renew: true });
    await write(renewed, scope, 'k');
    const [old, current] = await credentialsOf('helper');
    expect(old?.id).toBe(id);
    expect(current).toEqual(await renewed.whoAmI());
    expect(await (await agentFor(keep, helper)).whoAmI()).toEqual(current);
    expect(await codeOf(agent.whoAmI())).toBe('unauthorized');
  });

  test('differs from a rotation, after which the next call finds the credential', async () => {
    const agent = await agentFor(keep, helper);
    const { id } = await agent.whoAmI();
    const { secret } = await (await agentFor(keep, boss)).credentials.rotate(id, 1);
    expect(await codeOf(agent.whoAmI())).toBe('unauthorized');
    expect((await (await agentFor(keep, helper)).whoAmI()).revision).toBe(2);
    expect((await (await keep.authenticate(secret)).whoAmI()).id).toBe(id);
  });
});

test('other capabilities are refused, or replace the credential on request', async () => {
  const agent = await agentFor(keep, helper);
  const { id } = await agent.whoAmI();
  const reader: AgentOptions = { ...helper, capabilities: ['memory_read'] };
  expect(await codeOf(agentFor(keep, reader))).toBe('capabilities_differ');
  const renewed = await agentFor(keep, { ...reader, renew: true });
  const [old, current] = await credentialsOf('helper');
  expect(old).toMatchObject({ id, revision: 2, history: [{}, { action: 'revoked' }] });
  expect(current).toEqual(await renewed.whoAmI());
  expect(current?.spec.capabilities).toEqual(['memory_read']);
  expect(await codeOf(agent.whoAmI())).toBe('unauthorized');
  expect(await changesOf(old as Credential)).toEqual(['operator issued', 'operator revoked']);
  expect(await changesOf(current as Credential)).toEqual(['operator issued']);
});

describe('the tenant', () => {
  test('gets its first administrator from bootstrapTenant(), once', async () => {
    await agentFor(keep, helper);
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    const admin = await keep.authenticate(secret);
    expect((await admin.credentials.listPage()).items).toHaveLength(2);
    const again = bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    expect(await codeOf(again)).toBe('tenant_exists');
  });

  test('may exist before, with the same subject in it', async () => {
    const { credential } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'helper' });
    const { id } = await (await agentFor(keep, helper)).whoAmI();
    expect(id).not.toBe(credential.id);
    const foreign = await agentFor(keep, { ...helper, tenantId: 'globex' });
    expect((await foreign.whoAmI()).tenant_id).toBe('globex');
  });
});

describe('a wrong option', () => {
  const { scopes } = helper;
  test.each<[string[], unknown]>([
    [['options'], undefined],
    [['subject'], { tenantId: 'acme', scopes }],
    [['scopes'], { ...helper, scopes: scope }],
    [['scopes[0].project_id'], { ...helper, scopes: [{ ...scope, project_id: '' }] }],
    [['scopes[0].visibility'], { ...helper, scopes: [{ ...scope, visibility: 'secret' }] }],
    [['tenantId'], { ...helper, tenantId: ' ' }],
    [['tenant_id'], { ...helper, tenant_id: 'acme' }],
    [['capabilities'], { ...helper, capabilities: [] }],
    [['capabilities[0]'], { ...helper, capabilities: ['read'] }],
    [['scopes'], { ...helper, scopes: Array.from({ length: 1_000 }, () => scope) }],
  ])('%j is named, and nothing is stored', async (members, options) => {
    const error: unknown = await agentFor(keep, options as AgentOptions).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(AgentkeepError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      members: members.map((path) => ({ path })),
    });
    for (const member of members) expect((error as Error).message).toContain(member);
    await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  });
});
