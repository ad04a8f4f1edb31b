/** Administrators have one interface: the same program against an embedded keep and a server. */
import { type Administrator, AgentkeepError, openKeep } from '@agentkeep/core';
import { bootstrapMaster } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { describe, expect, it } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { connectAdministrator } from '../src/client.js';
import { createServer } from '../src/http/create-server.js';

type Connect = (secret: string) => Promise<Administrator>;

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AgentkeepError ? error.code : undefined;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe.each(['embedded', 'over HTTP'])('%s', (way) => {
  async function withMaster(
    run: (master: Administrator, connect: Connect) => Promise<void>,
  ): Promise<void> {
    await using keep = await openKeep({ store: testStore(), passwords: quickPasswords });
    const { secret } = await bootstrapMaster(keep, 'root');
    const { request: fetch } = createServer(keep);
    const connect: Connect = async (each) =>
      way === 'embedded'
        ? keep.administer(each)
        : connectAdministrator({ url: 'http://localhost/', secret: each, fetch });
    await run(await connect(secret), connect);
  }

  it('delegates, rotates, revokes and lists', () =>
    withMaster(async (master, connect) => {
      const self = await master.identity();
      expect(self).toMatchObject({ is_master: true, spec: { subject_id: 'root' } });
      const made = await master.credentials.issue({
        subject_id: 'desk',
        capabilities: ['tenant_inspect', 'tenant_create'],
      });
      const { id } = made.credential;
      const desk = await connect(made.secret);
      expect((await desk.identity()).spec.capabilities).toEqual([
        'tenant_create',
        'tenant_inspect',
      ]);
      expect(await master.credentials.inspect(id)).toEqual(made.credential);
      expect(await codeOf(desk.credentials.inspect(id))).toBe('forbidden');
      const rotated = await desk.credentials.rotate(id, 1);
      expect(await codeOf(desk.identity())).toBe('unauthorized');
      expect((await master.credentials.revoke(id, 2)).revision).toBe(3);
      expect(await codeOf((async () => (await connect(rotated.secret)).identity())())).toBe(
        'unauthorized',
      );
      const listed = await all(master.credentials.list({ limit: 1 }));
      expect(listed.map((each) => each.id)).toEqual([self.id, id]);
      const page = await master.credentials.listPage({ limit: 1 });
      expect(page.next_cursor).not.toBeNull();
    }));

  it('registers, inspects and lists tenants, and appoints administrators', () =>
    withMaster(async (master) => {
      const { tenant, credential } = await master.tenants.register({
        tenantId: 'a/b',
        subjectId: 'ann',
        displayName: 'A and B',
      });
      expect(tenant.initial_admin_id).toBe(credential.id);
      expect(await master.tenants.inspect('a/b')).toEqual(tenant);
      await master.tenants.register({ tenantId: 'c', subjectId: 'cy' });
      const again = master.tenants.register({ tenantId: 'c', subjectId: 'cy' });
      expect(await codeOf(again)).toBe('revision_conflict');
      const appointed = await master.tenants.appointAdmin('c', 'deputy');
      expect(appointed.credential.spec.subject_id).toBe('deputy');
      expect(await codeOf(master.tenants.appointAdmin('d', 'deputy'))).toBe('tenant_not_found');

      const bounds = { max_entries: null, max_bytes: 1_000_000 };
      const set = await master.tenants.setQuota('c', { maxBytes: 1_000_000 });
      expect(set).toMatchObject({ quota: bounds, use: expect.any(Object) as unknown });
      expect(await master.tenants.quota('c')).toMatchObject({ quota: bounds });
      const stale = master.tenants.setQuota('c', { expectedRevision: set.revision - 1 });
      expect(await codeOf(stale)).toBe('revision_conflict');
      const unset = await master.tenants.setQuota('c', { expectedRevision: set.revision });
      expect(unset).toMatchObject({ revision: 0, use: null });
      const parts: unknown[] = [];
      const use = await master.tenants.use('c', { onProgress: (part) => void parts.push(part) });
      expect(use).toMatchObject({ records: 0, is_complete: true });
      expect(parts).toEqual([use]);
      expect(await codeOf(master.tenants.use('d'))).toBe('tenant_not_found');
      expect(await codeOf(master.tenants.quota('d'))).toBe('tenant_not_found');
      const listed = await all(master.tenants.list({ limit: 1 }));
      expect(listed.map(({ tenant_id }) => tenant_id)).toEqual(['a/b', 'c']);
      expect(listed[0]?.registration).toEqual(tenant);
      const { next_cursor: cursor } = await master.tenants.listPage({ limit: 1 });
      const rest = await master.tenants.listPage({ limit: 1, cursor: cursor ?? '' });
      expect(rest.items.map(({ tenant_id }) => tenant_id)).toEqual(['c']);
    }));

  it('makes, shows, changes, disables and lists accounts of the installation', () =>
    withMaster(async (master) => {
      const { id: credentialId } = await master.identity();
      const account = { username: 'ann', password: 'Correct-Horse-7', credentialId };
      const { id } = await master.loginAccounts.create(account);
      expect(await codeOf(master.loginAccounts.create(account))).toBe('revision_conflict');
      const weak = { ...account, username: 'bob', password: 'weak' };
      expect(await codeOf(master.loginAccounts.create(weak))).toBe('weak_password');
      const changed = await master.loginAccounts.changePassword(id, 1, 'Correct-Horse-8');
      const disabled = await master.loginAccounts.disable(id, changed.revision);
      expect(disabled.disabled_at_millis).not.toBeNull();
      expect(await master.loginAccounts.inspect(id)).toEqual(disabled);
      expect(await all(master.loginAccounts.list({ limit: 1 }))).toEqual([disabled]);
      const { next_cursor: cursor } = await master.loginAccounts.listPage({ limit: 1 });
      expect(cursor).toBeNull();
    }));

  it("refuses a tenant's credential", () =>
    withMaster(async (master, connect) => {
      const { secret } = await master.tenants.register({ tenantId: 'a', subjectId: 'ann' });
      expect(await codeOf((async () => (await connect(secret)).identity())())).toBe('forbidden');
      expect(await codeOf((async () => (await connect('akg1_x')).identity())())).toBe(
        'unauthorized',
      );
    }));
});
