/**
 * Audit events of the installation (docs/contract/audit.md#aud-29), and the rights of its master on
 * the account surface (docs/contract/installation.md#ins-52).
 */
import type { AuditEvent } from '@agentkeep/core';
import { recoverMaster } from '@agentkeep/core/operator';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { eachCounted } from '../audit/counted-events.js';
import type { Members } from '../harness/caller.js';
import { testCase } from '../harness/fixture.js';
import { everyCapability, type GlobalCaller, minimalGlobalSpec } from '../harness/global-caller.js';

async function events(caller: GlobalCaller, parameters: Members = {}): Promise<AuditEvent[]> {
  const answer = await caller.call('queryAuditLogs', {
    parameters: { limit: 1_000, ...parameters },
  });
  return result(answer).events;
}

describe('changes', () => {
  testCase('AUD-9, AUD-58 each is an event of the installation, with its actor', async (t) => {
    const master = await t.master();
    const delegate = await master.delegate(everyCapability, { subject_id: 'deputy' });
    const { secret } = result(await delegate.rotate(delegate.id, 1));
    const rotated = delegate.with(secret);
    const admin = await rotated.registered('new');
    const appointed = result(await rotated.appoint('new')).credential;
    result(await master.revoke(delegate.id, 2));
    const recovered = master.with((await recoverMaster(t.keep, 1)).secret);

    const told = (await events(recovered, { event_type: 'configuration_changed' })).filter(
      ({ tenant_id }) => tenant_id === null,
    );
    const byMaster = [master.id, 'root', { principal: 'credential' }] as const;
    const byDelegate = [delegate.id, 'deputy', { principal: 'credential' }] as const;
    const byOperator = [null, null, { principal: 'operator' }] as const;
    expect(
      told.map(({ user_id, username, resource, action, result: outcome, metadata }) => {
        expect([action, outcome]).toEqual(['configuration_changed', 'success']);
        return [user_id, username, metadata, resource];
      }),
    ).toMatchObject(
      (
        [
          [byOperator, 'recovered_by_local_operator', master.id],
          [byMaster, 'revoked', delegate.id],
          [byDelegate, 'admin_issued_by_global_authority', appointed.id, 'new'],
          [byDelegate, 'tenant_registered_by_global_authority', admin.id, 'new'],
          [byDelegate, 'rotated', delegate.id],
          [byMaster, 'issued', delegate.id],
          [byOperator, 'bootstrapped', master.id],
        ] as const
      ).map(([[id, name, principal], change, target, tenant_id]) => [
        id,
        name,
        { ...principal, change, ...(tenant_id === undefined ? {} : { tenant_id }) },
        `credential:${target}`,
      ]),
    );
  });

  testCase(
    'AUD-82 a tenant finds its registration and its administrators in its own log',
    async (t) => {
      const master = await t.master();
      const admin = await master.registered('new');
      const appointed = result(await master.appoint('new')).credential;
      const answer = await admin.call('queryAuditLogs', { parameters: {} });
      const told = result(answer).events.filter(
        ({ event_type }) => event_type !== 'access_granted',
      );
      expect(told).toMatchObject(
        (
          [
            ['admin_issued_by_global_authority', appointed.id],
            ['tenant_registered_by_global_authority', admin.id],
          ] as const
        ).map(([change, id]) => ({
          event_type: 'configuration_changed',
          user_id: master.id,
          username: 'root',
          resource: `credential:${id}`,
          tenant_id: 'new',
          metadata: { change, tenant_id: 'new', principal: 'credential' },
        })),
      );
      const everywhere = await events(master, { event_type: 'configuration_changed' });
      const ids = everywhere.map(({ event_id }) => event_id);
      expect(new Set(ids).size).toBe(ids.length);
      const named = (resource: string) => everywhere.filter((event) => event.resource === resource);
      for (const { id } of [admin, appointed]) {
        const places = named(`credential:${id}`).map(({ tenant_id }) => tenant_id);
        expect(places.toSorted()).toEqual(['new', null]);
      }
    },
  );

  testCase('refused ones are not recorded as changes', async (t) => {
    const master = await t.master();
    const count = async () =>
      (await events(master, { event_type: 'configuration_changed' })).length;
    const before = await count();
    expect(outcome(await master.register({ tenant_id: 'acme' }))).toBe(refused.stale);
    expect(outcome(await master.rotate(master.id, 7))).toBe(refused.stale);
    expect(outcome(await master.appoint('absent'))).toBe(refused.noTenant);
    expect(await count()).toBe(before);
  });
});

describe('refusals', () => {
  testCase('AUD-48, AUD-60 permission_denied names the missing right', async (t) => {
    const master = await t.master();
    const none = await master.delegate(['tenant_inspect'], { subject_id: 'looker' });
    const { id } = await master.delegate(['tenant_create']);
    const denied = [
      [await none.register({ tenant_id: 'x' }), 'tenant_create'],
      [await none.appoint('acme'), 'tenant_admin'],
      [await none.issue(minimalGlobalSpec), 'global_credential_admin'],
      [await none.inspect(id), 'global_credential_admin'],
      [await none.rotate(id, 1), 'global_credential_admin'],
      [await none.revoke(id, 1), 'global_credential_admin'],
      [await none.list(), 'authority'],
    ] as const;
    for (const [answer] of denied) expect(outcome(answer)).toBe(refused.forbidden);
    const told = await events(master, { event_type: 'permission_denied', user_id: none.id });
    const rights = eachCounted(told).map(({ metadata }) => metadata['required']);
    expect(rights.toSorted()).toEqual(denied.map(([, right]) => right).toSorted());
    for (const event of told) {
      expect(event).toMatchObject({
        username: 'looker',
        tenant_id: null,
        action: `require_permission:${String(event.metadata['required'])}`,
        result: 'forbidden',
        metadata: { principal: 'credential' },
      });
    }
  });

  testCase(
    "a tenant's credential on an installation route is an event of the tenant",
    async (t) => {
      const master = await t.master();
      expect(outcome(await master.with(t.admin.token).identity())).toBe(refused.forbidden);
      const [event] = await events(master, { event_type: 'permission_denied', tenant_id: 'acme' });
      expect(event).toMatchObject({ user_id: t.admin.id, metadata: { required: 'authority' } });
    },
  );

  testCase("an installation's secret on a tenant route is no proof", async (t) => {
    const master = await t.master();
    expect(outcome(await t.admin.with(master.token).whoAmI())).toBe(refused.unauthorized);
    const [event] = await events(master, { event_type: 'token_refresh_failed' });
    expect(event).toMatchObject({ user_id: null, username: 'unknown', tenant_id: null });
  });
});

describe('the account surface', () => {
  testCase('AUD-26 shows the master the events of all authorities, or of one tenant', async (t) => {
    const master = await t.master();
    const foreign = await t.foreignAdmin();
    result(await foreign.rotate(foreign.id, 1));
    const all = await events(master);
    expect(new Set(all.map(({ tenant_id }) => tenant_id))).toEqual(
      new Set([null, 'acme', 'other']),
    );
    const one = await events(master, { tenant_id: 'other' });
    expect(one.length).toBeGreaterThan(0);
    for (const { tenant_id } of one) expect(tenant_id).toBe('other');
    const absent = await master.call('queryAuditLogs', { parameters: { tenant_id: 'absent' } });
    expect(outcome(absent)).toBe('404 tenant_not_found');
  });

  testCase('is closed to delegates, whatever their capabilities', async (t) => {
    const full = await (await t.master()).delegate(everyCapability);
    expect(outcome(await full.call('queryAuditLogs', { parameters: {} }))).toBe(refused.forbidden);
    expect(outcome(await full.call('listRateLimits', { parameters: {} }))).toBe(refused.forbidden);
  });

  testCase('lets the master set rate limits, but no tenant', async (t) => {
    const master = await t.master();
    const document = { name: 'n', endpoint_type: 'Login', max_requests: 5, window_secs: 60 };
    const made = result(await master.call('createRateLimit', { document }));
    expect(made.created_by).toBe(master.id);
    expect(outcome(await master.call('getRateLimit', { id: made.id }))).toBe('200');
    const change = { id: made.id, document: { enabled: false } };
    expect(outcome(await master.call('updateRateLimit', change))).toBe('200');
    expect(outcome(await t.admin.call('updateRateLimit', change))).toBe(refused.forbidden);
    expect(outcome(await master.call('deleteRateLimit', { id: made.id }))).toBe('200');
    expect(outcome(await t.admin.call('listRateLimits', { parameters: {} }))).toBe(
      refused.forbidden,
    );
  });
});
