/** Credentials of the installation, and its tenants, in detail (docs/contract/installation.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { badTexts, goodTexts, minimalSpec, scope, unknownId } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { everyCapability, minimalGlobalSpec } from '../harness/global-caller.js';
import { overHttp } from '../harness/http-fixture.js';
import { allEntries, overwrite } from '../harness/stored-entries.js';

describe('documents', () => {
  testCase('INS-8, INS-9, INS-52 the master is shown as it was made', async (t) => {
    const master = await t.master('root of all');
    expect(result(await master.identity())).toEqual({
      contract_version: 1,
      credential: {
        id: master.id,
        is_master: true,
        spec: {
          subject_id: 'root of all',
          capabilities: everyCapability,
          expires_at_millis: null,
        },
        revision: 1,
        revoked_at_millis: null,
        history: [
          { revision: 1, action: 'bootstrapped', actor_id: master.id, at_millis: t.clock.now() },
        ],
      },
    });
  });

  testCase(
    'CON-152, INS-12, INS-60, INS-61 the history has every change with its actor and time',
    async (t) => {
      const master = await t.master();
      const target = await master.delegate(everyCapability);
      const actor = await master.delegate(everyCapability);
      t.clock.advance(5);
      result(await actor.rotate(target.id, 1));
      t.clock.advance(5);
      const ended = result(await master.revoke(target.id, 2)).credential;
      const now = t.clock.now();
      expect(ended).toEqual({
        ...target.credential,
        revision: 3,
        revoked_at_millis: now,
        history: [
          { revision: 1, action: 'issued', actor_id: master.id, at_millis: now - 10 },
          { revision: 2, action: 'rotated', actor_id: actor.id, at_millis: now - 5 },
          { revision: 3, action: 'revoked', actor_id: master.id, at_millis: now },
        ],
      });
      expect(result(await actor.inspect(target.id)).credential).toEqual(ended);
    },
  );

  testCase('INS-13, INS-88 a registration is shown with its first administrator', async (t) => {
    const master = await t.master();
    const creator = await master.delegate(['tenant_create']);
    const named = { tenant_id: 'new', subject_id: 'ann', display_name: ' New ' };
    const { tenant, credential, secret } = result(await creator.register(named));
    const now = t.clock.now();
    expect(tenant).toEqual({
      schema_version: 1,
      tenant_id: 'new',
      display_name: ' New ',
      created_at_millis: now,
      created_by: creator.id,
      initial_admin_id: credential.id,
    });
    const event = { revision: 1, actor_id: creator.id, at_millis: now };
    expect(credential).toMatchObject({
      tenant_id: 'new',
      spec: { subject_id: 'ann' },
      revision: 1,
      history: [{ ...event, action: 'tenant_registered_by_global_authority' }],
    });
    expect(result(await t.admin.with(secret).whoAmI()).credential).toEqual(credential);
    for (const display_name of [undefined, null]) {
      const plain = await creator.register({ tenant_id: String(display_name), display_name });
      expect(result(plain).tenant).not.toHaveProperty('display_name');
    }
  });

  testCase(
    'CRD-37, INS-54, INS-91 an appointed administrator is added to the existing ones',
    async (t) => {
      const master = await t.master();
      const appointer = await master.delegate(['tenant_admin']);
      result(await t.admin.revoke(t.admin.id, 1));
      const { credential, secret } = result(await appointer.appoint('acme', 'rescuer'));
      expect(credential).toMatchObject({
        tenant_id: 'acme',
        spec: {
          subject_id: 'rescuer',
          capabilities: ['policy_admin', 'credential_admin'],
          grants: [],
          expires_at_millis: null,
        },
        history: [{ action: 'admin_issued_by_global_authority', actor_id: appointer.id }],
      });
      expect(credential.spec).not.toHaveProperty('scope_policy');
      const rescuer = t.admin.with(secret);
      expect(outcome(await rescuer.issue(minimalSpec))).toBe('201');
      const again = result(await appointer.appoint('acme', 'rescuer'));
      expect(again.credential.id).not.toBe(credential.id);
      const { items } = result(await rescuer.list()).page;
      expect(items.map(({ id }) => id)).toEqual(
        expect.arrayContaining([t.admin.id, credential.id]),
      );
    },
  );
});

describe('issue', () => {
  testCase(
    'CON-141, INS-77 accepts known capabilities, at least one, and a future expiry',
    async (t) => {
      const master = await t.master();
      const now = t.clock.now();
      for (const [members, expected] of [
        [{}, '201'],
        [{ expires_at_millis: null }, '201'],
        [{ expires_at_millis: now + 1 }, '201'],
        [{ expires_at_millis: now }, refused.invalid],
        [{ expires_at_millis: -1 }, refused.invalid],
        [{ expires_at_millis: 2 ** 53 }, refused.invalid],
        [{ expires_at_millis: 'never' }, refused.invalid],
        [{ capabilities: [] }, refused.invalid],
        [{ capabilities: ['memory_read'] }, refused.invalid],
        [{ capabilities: ['Tenant_create'] }, refused.invalid],
        [{ capabilities: 'tenant_create' }, refused.invalid],
        [{ capabilities: undefined }, refused.invalid],
        [{ subject_id: undefined }, refused.invalid],
        [{ grants: [] }, refused.invalid],
      ] as const) {
        const answer = await master.issue({ ...minimalGlobalSpec, ...members });
        expect(outcome(answer), JSON.stringify(members)).toBe(expected);
      }
      for (const [name, subject_id] of badTexts) {
        const answer = await master.issue({ ...minimalGlobalSpec, subject_id });
        expect(outcome(answer), name).toBe(refused.invalid);
      }
      for (const [name, subject_id] of goodTexts) {
        const answer = await master.issue({ ...minimalGlobalSpec, subject_id });
        expect(result(answer).credential.spec.subject_id, name).toBe(subject_id);
      }
    },
  );

  testCase('returns an omitted expiry as null', async (t) => {
    const { credential } = result(await (await t.master()).issue(minimalGlobalSpec));
    expect(credential.spec.expires_at_millis).toBeNull();
    expect(credential.is_master).toBe(false);
  });
});

describe('inspect, rotate, revoke', () => {
  testCase('INS-81 need every capability of the target', async (t) => {
    const master = await t.master();
    const narrow = await master.delegate(['tenant_inspect', 'global_credential_admin']);
    const inside = await narrow.delegate(['tenant_inspect']);
    const outside = await master.delegate(['tenant_inspect', 'tenant_create']);
    expect(outcome(await narrow.inspect(inside.id))).toBe('200');
    expect(outcome(await narrow.inspect(outside.id))).toBe(refused.forbidden);
    expect(outcome(await narrow.inspect(master.id))).toBe(refused.forbidden);
    for (const end of ['rotate', 'revoke'] as const) {
      expect(outcome(await narrow[end](outside.id, 1))).toBe(refused.forbidden);
      expect(outcome(await narrow[end](master.id, 1))).toBe(refused.forbidden);
    }
    expect(outcome(await narrow.rotate(inside.id, 1))).toBe('200');
    expect(outcome(await narrow.revoke(inside.id, 2))).toBe('200');
    expect(outcome(await narrow.inspect(inside.id))).toBe('200');
  });

  testCase('are open to every credential for itself, except inspect', async (t) => {
    const master = await t.master();
    const creator = await master.delegate(['tenant_create']);
    expect(outcome(await creator.inspect(creator.id))).toBe(refused.forbidden);
    const { secret } = result(await creator.rotate(creator.id, 1));
    expect(outcome(await creator.identity())).toBe(refused.unauthorized);
    const rotated = creator.with(secret);
    expect(outcome(await rotated.revoke(creator.id, 2))).toBe('200');
    expect(outcome(await rotated.identity())).toBe(refused.unauthorized);
  });

  testCase('INS-62 an expired one can be rotated and revoked, and stays expired', async (t) => {
    const master = await t.master();
    const ends = await master.delegate(['tenant_create'], { expires_at_millis: t.clock.now() + 1 });
    t.clock.advance(1);
    expect(outcome(await ends.identity())).toBe(refused.unauthorized);
    const { secret, credential } = result(await master.rotate(ends.id, 1));
    expect(credential.spec).toEqual(ends.credential.spec);
    expect(outcome(await ends.with(secret).identity())).toBe(refused.unauthorized);
    expect(outcome(await master.revoke(ends.id, 2))).toBe('200');
  });

  testCase('INS-83 a rotation keeps everything but the secret', async (t) => {
    const master = await t.master();
    const { credential, secret } = result(await master.rotate(master.id, 1));
    expect(credential).toMatchObject({ id: master.id, is_master: true, revision: 2 });
    expect(credential.spec).toEqual(master.credential.spec);
    expect(outcome(await master.with(secret).list())).toBe('200');
    expect(outcome(await master.list())).toBe(refused.unauthorized);
  });

  testCase('a tenant does not know them', async (t) => {
    const master = await t.master();
    for (const id of [master.id, unknownId]) {
      expect(outcome(await t.admin.inspect(id))).toBe(refused.forbidden);
      expect(outcome(await t.admin.rotate(id, 1))).toBe(refused.forbidden);
      expect(outcome(await t.admin.rescope(id, 1, { grants: [] }))).toBe(refused.forbidden);
    }
    const asMaster = t.admin.with(master.token);
    const { id } = t.admin;
    for (const answer of [
      await asMaster.issue(minimalSpec),
      await asMaster.list(),
      await asMaster.inspect(id),
      await asMaster.rotate(id, 1),
      await asMaster.revoke(id, 1),
      await asMaster.rescope(id, 1, { grants: [] }),
      await asMaster.create(scope),
      await asMaster.read(scope, unknownId),
      await asMaster.query(scope),
    ]) {
      expect(outcome(answer), answer.operation).toBe(refused.unauthorized);
    }
  });
});

describe('tokens and what is stored', () => {
  // CON-25, CON-31, CON-32
  testCase('a token has exactly its canonical form and its secret kind', async (t) => {
    const master = await t.master();
    const { token } = master;
    expect(token).toMatch(/^akg1_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/);
    expect(token).toHaveLength(81);
    const hex = token.slice(5, 37);
    const secret = token.slice(38);
    const last = String.fromCharCode(secret.charCodeAt(42) + 1);
    for (const form of [
      `ak1_${hex}_${secret}`,
      `aksg1_${hex}_${hex}_${secret}`,
      `akg1_${hex.toUpperCase()}_${secret}`,
      `akg1_${hex}_${secret.slice(0, 42)}${last}`,
      `akg1_${hex}_${secret}=`,
      `akg1_${'0'.repeat(32)}_${secret}`,
      `akg1_${t.admin.token.slice(4)}`,
      `akg1_${hex}_${t.admin.token.slice(37)}`,
    ]) {
      if (form === token) continue;
      expect(outcome(await master.with(form).identity()), form).toBe(refused.unauthorized);
    }
    expect(outcome(await master.identity())).toBe('200');
  });

  testCase('CON-33, INS-76 no secret is stored or shown again', async (t) => {
    const master = await t.master();
    const delegate = await master.delegate(everyCapability);
    const registered = await master.registered('new');
    const secrets = [master, delegate, registered].map(({ token }) => token.slice(-43));
    const shown = JSON.stringify([
      await master.list(),
      await master.inspect(delegate.id),
      await master.inspectTenant('new'),
      await master.listTenants(),
      await master.call('queryAuditLogs', { parameters: { limit: 1_000 } }),
    ]);
    expect(shown).not.toContain('verifier');
    const stored = await allEntries(t.store);
    for (const secret of secrets) {
      expect(shown).not.toContain(secret);
      const forms = [secret, Buffer.from(secret, 'base64url')];
      for (const { value } of stored) {
        for (const form of forms) expect(Buffer.from(value).includes(form)).toBe(false);
      }
    }
  });

  testCase('INS-56 a master without its mark is reported as damage', async (t) => {
    const master = await t.master();
    const full = await master.delegate(everyCapability);
    const mark = (await allEntries(t.store)).find(
      ({ subspace, key }) => subspace === 'markers' && Buffer.from(key).includes('master'),
    )!;
    const putBack = await overwrite(t.store, mark.key, undefined);
    expect(outcome(await full.inspect(master.id))).toBe(refused.inconsistent);
    expect((await master.identity()).status).toBe(500);
    await putBack();
    expect(outcome(await master.identity())).toBe('200');
  });
});

// CON-134, CON-142, INS-89, CON-136
overHttp('tenants are named by their percent-encoded ids, exactly', async (http) => {
  const master = await http.fixture.master();
  const headers = { Authorization: `Bearer ${master.token}` };
  for (const id of ['a/b', 'a%2Fb', 'a b', 'ü', '?', '#', '+']) {
    await master.registered(id);
    const path = `/api/v1/admin/tenants/${encodeURIComponent(id)}`;
    const reply = await http.send('GET', path, { headers });
    expect(reply.body, id).toMatchObject({ tenant_id: id });
  }
  for (const [path, expected] of [
    ['%zz', refused.invalid],
    ['%ff', refused.invalid],
    ['%20', refused.invalid],
    ['a%00', refused.invalid],
    ['absent', refused.noTenant],
    ['A%2fB', refused.noTenant],
    ['a/b', '404 not_found'],
  ] as const) {
    const reply = await http.send('GET', `/api/v1/admin/tenants/${path}`, { headers });
    expect(outcome(reply), path).toBe(expected);
  }
});
