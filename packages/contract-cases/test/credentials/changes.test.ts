/** States of a credential and their transitions (docs/contract/credentials.md#crd-43). */
import type { Credential } from '@agentkeep/core';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import {
  minimalRecord,
  minimalSpec,
  openPolicy,
  scope,
  sharedScope,
  spec,
} from '../harness/documents.js';
import { unknownId } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';

const none = { grants: [] };

async function shown({ admin }: Fixture, id: string): Promise<Credential> {
  return result(await admin.inspect(id)).credential;
}

/** Returns an expired credential. */
async function expired(t: Fixture, members: Record<string, unknown> = {}) {
  const caller = await t.agent({ expires_at_millis: t.clock.now() + 5, ...members });
  t.clock.advance(5);
  return caller;
}

describe('states', () => {
  // CRD-39, CRD-44, CRD-45, CRD-75, CRD-76, CRD-88, CRD-89
  testCase('active: rotate, scope authority, revoke', async (t) => {
    const agent = await t.agent();
    t.clock.advance(1);
    const rotated = result(await t.admin.rotate(agent.id, 1));
    const renewed = agent.with(rotated.secret);
    t.clock.advance(1);
    const rescoped = result(await t.admin.rescope(agent.id, 2, none)).credential;
    expect(outcome(await renewed.whoAmI())).toBe('200');
    t.clock.advance(1);
    const revoked = result(await t.admin.revoke(agent.id, 3)).credential;
    expect(outcome(await renewed.whoAmI())).toBe(refused.unauthorized);

    expect(rotated.credential).toMatchObject({ revision: 2, revoked_at_millis: null });
    expect(rescoped).toMatchObject({ revision: 3, revoked_at_millis: null });
    expect(revoked).toMatchObject({ revision: 4, revoked_at_millis: t.clock.now() });
    expect(revoked.history.map(({ revision, action }) => [revision, action])).toEqual([
      [1, 'issued'],
      [2, 'rotated'],
      [3, 'scope_authority_changed'],
      [4, 'revoked'],
    ]);
    const times = revoked.history.map(({ at_millis }) => at_millis - t.clock.now());
    expect(times).toEqual([-3, -2, -1, 0]);
    expect(revoked.history.every(({ actor_id }) => actor_id === t.admin.id)).toBe(true);
    expect(await shown(t, agent.id)).toEqual(revoked);
  });

  testCase('CRD-46 expired: rotation gives a secret that is refused as well', async (t) => {
    const agent = await expired(t);
    const { credential, secret } = result(await t.admin.rotate(agent.id, 1));
    expect(credential.revision).toBe(2);
    expect(credential.spec).toEqual(agent.credential.spec);
    expect(outcome(await agent.with(secret).whoAmI())).toBe(refused.unauthorized);
  });

  testCase('CRD-48 expired: scope authority is refused and changes nothing', async (t) => {
    const agent = await expired(t);
    expect(outcome(await t.admin.rescope(agent.id, 1, none))).toBe(refused.invalid);
    expect(await shown(t, agent.id)).toEqual(agent.credential);
  });

  testCase('CRD-42, CRD-47 expired: it can be revoked, and is then shown as revoked', async (t) => {
    const agent = await expired(t);
    const { credential } = result(await t.admin.revoke(agent.id, 1));
    expect(credential).toMatchObject({ revision: 2, revoked_at_millis: t.clock.now() });
    expect(outcome(await t.admin.rescope(agent.id, 2, none))).toBe(refused.forbidden);
    expect(outcome(await t.admin.rotate(agent.id, 2))).toBe(refused.forbidden);
  });

  testCase('revoked is final', async (t) => {
    const agent = await t.agent();
    const { credential } = result(await t.admin.revoke(agent.id, 1));
    expect(outcome(await t.admin.rotate(agent.id, 2))).toBe(refused.forbidden);
    expect(outcome(await t.admin.revoke(agent.id, 2))).toBe(refused.forbidden);
    expect(outcome(await t.admin.rescope(agent.id, 2, none))).toBe(refused.forbidden);
    expect(outcome(await t.admin.rescope(agent.id, 1, none))).toBe(refused.forbidden);
    expect(await shown(t, agent.id)).toEqual(credential);
  });
});

describe('rotate and revoke', () => {
  testCase('CRD-80 all other members stay unchanged', async (t) => {
    const members = { expires_at_millis: t.clock.now() + 100, scope_policy: openPolicy };
    const agent = await t.agent({ ...members, grants: [] });
    const rotated = result(await t.admin.rotate(agent.id, 1)).credential;
    const revoked = result(await t.admin.revoke(agent.id, 2)).credential;
    for (const after of [rotated, revoked]) {
      expect(after.spec).toEqual(agent.credential.spec);
      expect([after.id, after.tenant_id]).toEqual([agent.id, 'acme']);
      expect(after.history[0]).toEqual(agent.credential.history[0]);
    }
  });

  testCase('each rotation disables the secret before it', async (t) => {
    const agent = await t.agent();
    const tokens = [agent.token];
    for (let revision = 1; revision <= 4; revision += 1) {
      tokens.push(result(await t.admin.rotate(agent.id, revision)).secret);
    }
    const outcomes = await Promise.all(tokens.map((token) => agent.with(token).whoAmI()));
    const dead = refused.unauthorized;
    expect(outcomes.map(outcome)).toEqual([dead, dead, dead, dead, '200']);
    expect(new Set(tokens).size).toBe(5);
  });

  testCase('CRD-72 revision 0 is well-formed and never matches', async (t) => {
    const agent = await t.agent();
    expect(outcome(await t.admin.rotate(agent.id, 0))).toBe(refused.stale);
    expect(outcome(await t.admin.revoke(agent.id, 0))).toBe(refused.stale);
  });

  testCase('concurrent revocations have one winner', async (t) => {
    const agent = await t.agent();
    const answers = await Promise.all(Array.from({ length: 4 }, () => t.admin.revoke(agent.id, 1)));
    expect(answers.map(outcome).sort()).toEqual(['200', ...Array(3).fill(refused.stale)]);
  });

  testCase('CRD-82 an administrator that changed meanwhile gets a conflict', async (t) => {
    const agent = await t.agent();
    const [own, other, issue] = await Promise.all([
      t.admin.rotate(t.admin.id, 1),
      t.admin.rotate(agent.id, 1),
      t.admin.issue(minimalSpec),
    ]);
    expect(outcome(own)).toBe('200');
    for (const late of [other, issue]) {
      expect([refused.stale, refused.unauthorized]).toContain(outcome(late));
    }
    const renewed = t.admin.with(result(own).secret);
    expect(result(await renewed.inspect(agent.id)).credential).toEqual(agent.credential);
  });

  testCase('an administrator can revoke the last one, itself', async (t) => {
    const { credential } = result(await t.admin.revoke(t.admin.id, 1));
    expect(credential.history[1]).toMatchObject({ action: 'revoked', actor_id: t.admin.id });
    expect(outcome(await t.admin.list())).toBe(refused.unauthorized);
  });
});

describe('inspect and foreign ids', () => {
  testCase('CRD-70 an unknown id and one of another tenant are both 403', async (t) => {
    const foreign = await t.foreignAdmin();
    for (const id of [unknownId, foreign.id]) {
      expect(outcome(await t.admin.inspect(id))).toBe(refused.forbidden);
      expect(outcome(await t.admin.rotate(id, 1))).toBe(refused.forbidden);
      expect(outcome(await t.admin.revoke(id, 1))).toBe(refused.forbidden);
      expect(outcome(await t.admin.rescope(id, 1, none))).toBe(refused.forbidden);
    }
    expect(result(await foreign.whoAmI()).credential).toEqual(foreign.credential);
  });

  testCase('CRD-71 revoked and expired credentials are shown', async (t) => {
    const agent = await expired(t);
    expect(await shown(t, agent.id)).toEqual(agent.credential);
    result(await t.admin.revoke(agent.id, 1));
    expect((await shown(t, agent.id)).revision).toBe(2);
    const inspect = (parameters: object) =>
      t.admin.call('inspectCredential', { id: agent.id, parameters });
    const { credential } = result(await inspect({ limit: 1 }));
    expect(credential.history.map(({ action }) => action)).toEqual(['revoked']);
    // CRD-70
    const unknown = '01900000-0000-7000-8000-000000000000';
    expect(outcome(await inspect({ include_secret: 'true' }))).toBe(refused.invalid);
    const both = { id: unknown, parameters: { limit: 0 } };
    expect(outcome(await t.admin.call('inspectCredential', both))).toBe(refused.invalid);
  });
});

describe('scope authority', () => {
  // CRD-86, CRD-87, CRD-39
  testCase(
    'CRD-39, CRD-87, CRD-88 it is replaced as a whole, and the history shows both',
    async (t) => {
      const agent = await t.agent({ grants: [scope] });
      const bare = (grant: object) => ({ ...grant, mission_id: null });
      result(await t.admin.rescope(agent.id, 1, { grants: [sharedScope], scope_policy: null }));
      expect(outcome(await agent.query(scope))).toBe(refused.forbidden);
      expect(outcome(await agent.query(sharedScope))).toBe('200');
      const policy = { grants: [], scope_policy: openPolicy };
      const { credential } = result(await t.admin.rescope(agent.id, 2, policy));
      expect(outcome(await agent.query({ ...scope, mission_id: 'any' }))).toBe('200');
      expect(credential.spec).toEqual({ ...agent.credential.spec, ...policy });
      expect(credential.history.slice(1)).toEqual([
        {
          revision: 2,
          action: 'scope_authority_changed',
          actor_id: t.admin.id,
          at_millis: t.clock.now(),
          scope_authority_change: {
            previous: { grants: [bare(scope)] },
            current: { grants: [bare(sharedScope)] },
          },
        },
        {
          revision: 3,
          action: 'scope_authority_changed',
          actor_id: t.admin.id,
          at_millis: t.clock.now(),
          scope_authority_change: { previous: { grants: [bare(sharedScope)] }, current: policy },
        },
      ]);
      const cleared = result(await t.admin.rescope(agent.id, 3, none)).credential;
      expect(Object.keys(cleared.spec)).not.toContain('scope_policy');
    },
  );

  testCase(
    'CRD-87, CRD-89 an empty list of grants suspends all scopes, and the secret stays',
    async (t) => {
      const agent = await t.agent();
      const id = await agent.created(scope);
      result(await t.admin.rescope(agent.id, 1, none));
      expect(outcome(await agent.whoAmI())).toBe('200');
      expect(outcome(await agent.read(scope, id))).toBe(refused.forbidden);
      expect(outcome(await agent.query(scope))).toBe(refused.forbidden);
      expect(outcome(await agent.create(scope, minimalRecord))).toBe(refused.forbidden);
      result(await t.admin.rescope(agent.id, 2, { grants: [scope] }));
      expect(await agent.found(scope)).toEqual([id]);
    },
  );

  testCase('CRD-86, CRD-34 the request is closed and starts at revision 1', async (t) => {
    const agent = await t.agent();
    for (const revision of [0, -1, 1.5, '1', null]) {
      expect(outcome(await t.admin.rescope(agent.id, revision, none))).toBe(refused.invalid);
    }
    const bad = [
      {},
      null,
      { grants: null },
      { grants: [], extra: 1 },
      { grants: [], capabilities: ['memory_read'] },
      { grants: [{ ...scope, x: 1 }] },
      { scope_policy: openPolicy },
      { grants: [scope], scope_policy: openPolicy },
      { grants: [], scope_policy: { ...openPolicy, version: 'v2' } },
    ];
    for (const authority of bad) {
      const answer = await t.admin.rescope(agent.id, 1, authority);
      expect(outcome(answer), JSON.stringify(authority)).toBe(refused.invalid);
    }
    expect(await shown(t, agent.id)).toEqual(agent.credential);
  });

  testCase('an administrator may have grants, but no scope policy', async (t) => {
    const second = await t.admin.appoint(spec({ capabilities: ['credential_admin'] }));
    const policy = { grants: [], scope_policy: openPolicy };
    expect(outcome(await t.admin.rescope(second.id, 1, policy))).toBe(refused.invalid);
    expect(outcome(await t.admin.rescope(second.id, 1, { grants: [scope] }))).toBe('200');
    expect(outcome(await t.admin.rescope(t.admin.id, 1, none))).toBe('200');
  });

  testCase('concurrent changes have one winner', async (t) => {
    const agent = await t.agent();
    const changes = Array.from({ length: 4 }, () => t.admin.rescope(agent.id, 1, none));
    const outcomes = (await Promise.all(changes)).map(outcome).sort();
    expect(outcomes).toEqual(['200', ...Array(3).fill(refused.stale)]);
  });
});
