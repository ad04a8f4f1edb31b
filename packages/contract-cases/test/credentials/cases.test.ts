/** Cases of credentials (docs/contract/credentials.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalSpec, openPolicy, scope, spec } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const SECRET = /^ak1_[0-9a-f]{32}_[\w-]{43}$/;

describe('issue', () => {
  testCase(
    'CRD-C12 a minimal spec returns a credential and its secret',
    async ({ admin, clock }) => {
      const { credential, secret } = result(await admin.issue(minimalSpec));
      expect(secret).toMatch(SECRET);
      expect(secret.slice(4, 36)).toBe(credential.id.replaceAll('-', ''));
      expect(credential).toMatchObject({ revision: 1, tenant_id: 'acme', revoked_at_millis: null });
      expect(credential.history).toEqual([
        { revision: 1, action: 'issued', actor_id: admin.id, at_millis: clock.now() },
      ]);
    },
  );

  testCase('CRD-C13 capabilities are a set of known values, at least one', async ({ admin }) => {
    expect(outcome(await admin.issue(spec({ capabilities: [] })))).toBe(refused.invalid);
    expect(outcome(await admin.issue(spec({ capabilities: ['admin'] })))).toBe(refused.invalid);
    const capabilities = ['credential_admin', 'memory_write', 'memory_read', 'memory_write'];
    const { credential } = result(await admin.issue(spec({ capabilities })));
    expect(credential.spec.capabilities).toEqual([
      'memory_read',
      'memory_write',
      'credential_admin',
    ]);
  });

  testCase('CRD-C14 an expiry is in the future or null', async ({ admin, clock }) => {
    for (const expires_at_millis of [clock.now(), clock.now() - 1, 0]) {
      expect(outcome(await admin.issue(spec({ expires_at_millis })))).toBe(refused.invalid);
    }
    for (const never of [minimalSpec, spec({ expires_at_millis: null })]) {
      const { credential } = result(await admin.issue(never));
      expect(credential.spec.expires_at_millis).toBeNull();
    }
  });

  testCase('CRD-C15 a grant without a mission is shown with null', async ({ admin }) => {
    const { credential } = result(await admin.issue(spec({ grants: [scope] })));
    expect(credential.spec.grants).toEqual([{ ...scope, mission_id: null }]);
  });

  testCase(
    'CRD-C16 a scope policy stands without grants, is complete and of version 1',
    async ({ admin }) => {
      const withPolicy = (members: Record<string, unknown>) =>
        admin.issue(spec({ scope_policy: openPolicy, ...members }));
      expect(outcome(await withPolicy({}))).toBe('201');
      expect(outcome(await withPolicy({ grants: [scope] }))).toBe(refused.invalid);
      const capabilities = ['memory_read', 'credential_admin'];
      expect(outcome(await withPolicy({ capabilities }))).toBe(refused.invalid);
      const other = { ...openPolicy, version: 'company_scopes_v2' };
      expect(outcome(await withPolicy({ scope_policy: other }))).toBe(refused.invalid);
      for (const missing of Object.keys(openPolicy)) {
        const scope_policy: Record<string, unknown> = { ...openPolicy };
        Reflect.deleteProperty(scope_policy, missing);
        expect(outcome(await withPolicy({ scope_policy }))).toBe(refused.invalid);
      }
    },
  );

  testCase('CRD-C17 without credential_admin all administration is refused', async (t) => {
    const agent = await t.agent();
    const answers = [
      await agent.issue(minimalSpec),
      await agent.inspect(agent.id),
      await agent.rotate(agent.id, 1),
      await agent.revoke(agent.id, 1),
      await agent.list(),
    ];
    expect(answers.map(outcome)).toEqual(answers.map(() => refused.forbidden));
  });

  testCase('CRD-C18 whoAmI and inspect show the same, and no secret', async ({ admin }) => {
    const agent = await admin.appoint(minimalSpec);
    const own = result(await agent.whoAmI());
    expect(own).toEqual(result(await admin.inspect(agent.id)));
    expect(own.credential).toEqual(agent.credential);
    const text = JSON.stringify(own);
    expect(text).not.toContain(agent.token.slice(37));
    expect(text).not.toMatch(/secret|verifier|hash|hmac/i);
  });
});

describe('rotate and revoke', () => {
  testCase('CRD-C19 rotation replaces the secret at once', async ({ admin }) => {
    const agent = await admin.appoint(minimalSpec);
    const { credential, secret } = result(await admin.rotate(agent.id, 1));
    expect(credential).toMatchObject({ id: agent.id, revision: 2 });
    expect(secret).toMatch(SECRET);
    expect(secret).not.toBe(agent.token);
    expect(outcome(await agent.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await agent.with(secret).whoAmI())).toBe('200');
  });

  testCase('CRD-C29 an overlap leaves the secret before for a while', async ({ admin, clock }) => {
    const agent = await admin.appoint(minimalSpec);
    const second = result(await admin.rotate(agent.id, 1, { overlap_seconds: 60 }));
    const ends_at_millis = clock.now() + 60_000;
    const unused = { ends_at_millis, last_used_at_millis: null };
    expect(second.credential).toMatchObject({ revision: 2, previous_secret: unused });
    const renewed = agent.with(second.secret);
    clock.advance(59_999);
    expect(outcome(await renewed.whoAmI())).toBe('200');
    expect(outcome(await agent.whoAmI())).toBe('200');
    // A use is stored in the background, before any later write.
    result(await admin.issue(minimalSpec));
    const used = { ends_at_millis, last_used_at_millis: clock.now() };
    const shown = result(await admin.inspect(agent.id)).credential;
    expect(shown).toMatchObject({ revision: 2, previous_secret: used });
    expect(result(await renewed.whoAmI()).credential).toEqual(shown);
    clock.advance(1);
    expect(outcome(await agent.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await renewed.whoAmI())).toBe('200');

    const third = result(await admin.rotate(agent.id, 2, { overlap_seconds: 60 }));
    const fourth = result(await admin.rotate(agent.id, 3));
    expect(fourth.credential).not.toHaveProperty('previous_secret');
    for (const old of [second.secret, third.secret]) {
      expect(outcome(await agent.with(old).whoAmI())).toBe(refused.unauthorized);
    }
    expect(outcome(await agent.with(fourth.secret).whoAmI())).toBe('200');
  });

  testCase('CRD-C30 revocation ends both secrets; an overlap is bounded', async ({ admin }) => {
    const agent = await admin.appoint(minimalSpec);
    for (const overlap_seconds of [-1, 0.5, 2_592_001]) {
      const answer = await admin.rotate(agent.id, 1, { overlap_seconds });
      expect(outcome(answer)).toBe(refused.invalid);
    }
    const { secret } = result(await admin.rotate(agent.id, 1, { overlap_seconds: 2_592_000 }));
    expect(outcome(await agent.whoAmI())).toBe('200');
    const { credential } = result(await admin.revoke(agent.id, 2));
    expect(credential).not.toHaveProperty('previous_secret');
    expect(outcome(await agent.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await agent.with(secret).whoAmI())).toBe(refused.unauthorized);
  });

  testCase('CRD-C20 a stale revision changes nothing', async ({ admin }) => {
    const agent = await admin.appoint(minimalSpec);
    const { secret } = result(await admin.rotate(agent.id, 1));
    const before = result(await admin.inspect(agent.id));
    expect(outcome(await admin.rotate(agent.id, 1))).toBe(refused.stale);
    expect(outcome(await admin.revoke(agent.id, 1))).toBe(refused.stale);
    expect(result(await admin.inspect(agent.id))).toEqual(before);
    expect(outcome(await agent.with(secret).whoAmI())).toBe('200');
  });

  testCase('CRD-C21 rotation never revives a revoked credential', async ({ admin }) => {
    const agent = await admin.appoint(minimalSpec);
    result(await admin.rotate(agent.id, 1));
    const { credential } = result(await admin.revoke(agent.id, 2));
    expect(credential.revision).toBe(3);
    expect(outcome(await admin.rotate(agent.id, 3))).toBe(refused.forbidden);
    expect(outcome(await admin.rotate(agent.id, 2))).toBe(refused.stale);
    expect(result(await admin.inspect(agent.id)).credential).toEqual(credential);
  });

  testCase('CRD-C22 a second revocation is forbidden', async ({ admin }) => {
    const agent = await admin.appoint(minimalSpec);
    result(await admin.rotate(agent.id, 1));
    result(await admin.revoke(agent.id, 2));
    expect(outcome(await admin.revoke(agent.id, 3))).toBe(refused.forbidden);
    expect(result(await admin.inspect(agent.id)).credential.revision).toBe(3);
  });

  testCase('CRD-C23 an administrator may rotate and revoke itself', async ({ admin }) => {
    const { secret } = result(await admin.rotate(admin.id, 1));
    expect(outcome(await admin.whoAmI())).toBe(refused.unauthorized);
    const renewed = admin.with(secret);
    expect(outcome(await renewed.whoAmI())).toBe('200');
    expect(outcome(await renewed.revoke(admin.id, 2))).toBe('200');
    expect(outcome(await renewed.whoAmI())).toBe(refused.unauthorized);
  });

  testCase('CRD-C24 of 8 concurrent rotations one wins', async ({ admin }) => {
    const agent = await admin.appoint(minimalSpec);
    const rotations = Array.from({ length: 8 }, () => admin.rotate(agent.id, 1));
    const answers = await Promise.all(rotations);
    const outcomes = answers.map(outcome).sort();
    expect(outcomes).toEqual(['200', ...Array.from({ length: 7 }, () => refused.stale)]);
    expect(result(await admin.inspect(agent.id)).credential.revision).toBe(2);
    const winner = answers.find(({ status }) => status === 200)!;
    expect(outcome(await agent.with(result(winner).secret).whoAmI())).toBe('200');
  });
});

describe('list', () => {
  testCase('CRD-C25 pages of one visit all credentials in order', async ({ admin }) => {
    const revoked = await admin.appoint(minimalSpec);
    result(await admin.revoke(revoked.id, 1));
    const active = await admin.appoint(minimalSpec);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const after: Record<string, unknown> = cursor === null ? {} : { cursor };
      const { page } = result(await admin.list({ limit: 1, ...after }));
      expect(page.items).toHaveLength(1);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual([admin.id, revoked.id, active.id].sort());
  });

  testCase('CRD-C26 a cursor belongs to its tenant and has one form', async (t) => {
    const { admin } = t;
    await admin.appoint(minimalSpec);
    const { next_cursor: cursor } = result(await admin.list({ limit: 1 })).page;
    const foreign = await t.foreignAdmin();
    expect(outcome(await admin.list({ cursor }))).toBe('200');
    expect(outcome(await foreign.list({ cursor }))).toBe(refused.invalid);
    for (const bad of ['invalid', '', 'a'.repeat(8193)]) {
      expect(outcome(await admin.list({ cursor: bad }))).toBe(refused.invalid);
    }
  });

  testCase('CRD-C27 a bad query is reported before a missing capability', async (t) => {
    const agent = await t.agent();
    expect(outcome(await agent.list({ limit: 0 }))).toBe(refused.invalid);
    expect(outcome(await agent.list())).toBe(refused.forbidden);
  });

  testCase('CRD-C28 a page ends at 4 MiB, and its cursor goes on', async ({ admin }) => {
    const grants = Array.from({ length: 200 }, (_, index) => ({
      ...scope,
      project_id: `${index}-${'p'.repeat(240)}`,
    }));
    const size = Buffer.byteLength(JSON.stringify({ ...scope, ...grants[0], mission_id: null }));
    const needed = Math.ceil(4_194_304 / (size * grants.length));
    expect(needed).toBeLessThan(100);
    for (let made = 0; made < needed; made += 1) {
      expect(outcome(await admin.issue(spec({ grants })))).toBe('201');
    }
    const first = result(await admin.list({ limit: 100 })).page;
    expect(Buffer.byteLength(JSON.stringify(first.items))).toBeLessThanOrEqual(4_194_304 + 100);
    const rest = result(await admin.list({ limit: 100, cursor: first.next_cursor })).page;
    // The administrator's own credential is the first row.
    expect(first.items.length + rest.items.length).toBe(1 + needed);
    expect(rest.next_cursor).toBeNull();
  });
});
