/**
 * Rights and order of checks of the operations on rate limit policies, and their audit events
 * (docs/contract/rate-limits.md).
 */
import type { ShownRateLimit } from '@agentkeep/core';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import { masterCase, type Installation } from '../installation/installation-fixture.js';

const mine = { name: 'Mine', endpoint_type: 'GeneralApi', max_requests: 7, window_secs: 30 };
const noPolicy = '404 not_found';

const create = async ({ admin }: Installation): Promise<ShownRateLimit> =>
  result(await admin.call('createRateLimit', { document: mine }));

/** One valid call of every operation. */
const calls = [
  ['listRateLimits', {}],
  ['createRateLimit', { document: mine }],
  ['getRateLimit', { id: unknownId }],
  ['updateRateLimit', { id: unknownId, document: { enabled: false } }],
  ['deleteRateLimit', { id: unknownId }],
] as const;

describe('who may call', () => {
  masterCase('RTL-6 Admin and SuperAdmin of the installation', async (on) => {
    const admin = await on.account({ username: 'ann', role: 'Admin' });
    const expected = ['200', '201', noPolicy, noPolicy, noPolicy];
    for (const party of [on.admin, admin]) {
      const outcomes: string[] = [];
      for (const [name, parts] of calls) outcomes.push(outcome(await party.call(name, parts)));
      expect(outcomes).toEqual(expected);
    }
    const [made] = result(await on.admin.call('listRateLimits')).policies;
    expect(made?.created_by).toBe(admin.id);
  });

  masterCase('RTL-6 no caller of a tenant, whatever its role', async (on) => {
    const tenantId = 'acme';
    const parties = [
      on.tenantAdmin,
      await on.account({ username: 'ann', tenantId, role: 'Admin' }),
      await on.account({ username: 'bob', tenantId, role: 'SuperAdmin' }),
      await on.account({ username: 'cy', tenantId, credentialId: on.tenantAdmin.id }),
    ];
    for (const party of parties) {
      for (const [name, parts] of calls) {
        expect(outcome(await party.call(name, parts)), name).toBe(refused.forbidden);
      }
    }
    const denials = await on.events('require_permission:admin');
    expect(denials.map(({ result: found, tenant_id }) => [found, tenant_id])).toContainEqual([
      'forbidden',
      'acme',
    ]);
  });

  masterCase('no caller without a proof', async (on) => {
    for (const [name, parts] of calls) {
      expect(outcome(await on.transport(name, undefined, parts))).toBe(refused.unauthorized);
      expect(outcome(await on.transport(name, 'wrong', parts))).toBe(refused.unauthorized);
    }
  });
});

describe('the order of checks', () => {
  masterCase('SES-28 proof, role, id, body, target', async (on) => {
    const { id } = await create(on);
    const bad = { unknown: true };
    const put = (party: typeof on.admin, parts: object) => party.call('updateRateLimit', parts);
    expect(outcome(await put(on.tenantAdmin, { id: 'x', document: bad }))).toBe(refused.forbidden);
    expect(outcome(await put(on.admin, { id: 'x', document: {} }))).toBe(refused.invalid);
    expect(outcome(await put(on.admin, { id: unknownId, document: bad }))).toBe(refused.invalid);
    expect(outcome(await put(on.admin, { id: unknownId, document: {} }))).toBe(noPolicy);
    const spelled = id.toUpperCase();
    expect(outcome(await put(on.admin, { id: spelled, document: {} }))).toBe('200');
    for (const path of ['x', id.replaceAll('-', ''), `{${id}}`, `${id}0`]) {
      expect(outcome(await on.admin.call('getRateLimit', { id: path }))).toBe(refused.invalid);
      expect(outcome(await on.admin.call('deleteRateLimit', { id: path }))).toBe(refused.invalid);
    }
    const stray = { id, parameters: { x: 'y' } };
    for (const name of ['getRateLimit', 'deleteRateLimit'] as const) {
      expect(outcome(await on.admin.call(name, stray))).toBe(refused.invalid);
    }
    expect(outcome(await on.admin.call('getRateLimit', { id }))).toBe('200');
  });

  masterCase('losing the right during a call ends the call', async (on) => {
    const { id } = await create(on);
    const held = (await on.keep.administer(on.admin.token)).rateLimits;
    expect((await held.get(id)).id).toBe(id);
    on.clock.advance(3_600_000);
    await expect(held.update(id, { enabled: false })).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});

describe('the audit log', () => {
  masterCase('AUD-57 has each change with its old and new values', async (on) => {
    const made = await create(on);
    const { id } = made;
    on.clock.advance(1);
    const document = { max_requests: 8 };
    const changed = result(await on.admin.call('updateRateLimit', { id, document }));
    on.clock.advance(1);
    await on.admin.call('deleteRateLimit', { id });
    const found = (await on.events('configuration_changed')).filter(
      ({ resource }) => resource === `rate_limit:${id}`,
    );
    const common = {
      event_type: 'configuration_changed',
      result: 'success',
      user_id: on.admin.id,
      username: 'root',
      tenant_id: null,
    };
    for (const event of found) expect(event).toMatchObject(common);
    expect(
      found.map(({ metadata }) => [metadata['change'], metadata['before'], metadata['after']]),
    ).toEqual([
      ['deleted', changed, null],
      ['updated', made, changed],
      ['created', null, made],
    ]);
  });

  masterCase('does not have refused changes', async (on) => {
    await on.admin.call('deleteRateLimit', { id: unknownId });
    await on.admin.call('createRateLimit', { document: {} });
    const changes = await on.events('configuration_changed');
    expect(changes.filter(({ resource }) => resource.startsWith('rate_limit:'))).toEqual([]);
  });
});
