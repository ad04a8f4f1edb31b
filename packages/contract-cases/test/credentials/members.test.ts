/**
 * Members of a credential, its issue, and the first one of a tenant
 * (docs/contract/credentials.md#crd-11).
 */
import { bootstrapTenant } from '@agentkeep/core/operator';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalSpec, openPolicy, scope, sharedScope, spec } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const ALL = [
  'memory_read',
  'memory_write',
  'memory_propose',
  'memory_review',
  'procedure_propose',
  'procedure_evaluate',
  'experience_read',
  'experience_write',
  'experience_report',
  'tool_read',
  'tool_develop',
  'tool_report',
  'tool_admin',
  'policy_admin',
  'credential_admin',
];

describe('spec', () => {
  testCase('all 15 capabilities, shown once each in their order', async ({ admin }) => {
    const capabilities = [...ALL.toReversed(), ...ALL];
    const { credential } = result(await admin.issue(spec({ capabilities })));
    expect(credential.spec.capabilities).toEqual(ALL);
    for (const other of ['', 'Memory_read', 'memory_read ', 'admin', null, 1, ['memory_read']]) {
      const answer = await admin.issue(spec({ capabilities: ['memory_read', other] }));
      expect(outcome(answer)).toBe(refused.invalid);
    }
  });

  testCase('CRD-12, CRD-13, CRD-24, CRD-25 no capability implies another', async ({ admin }) => {
    for (const capability of ALL) {
      const one = await admin.appoint(spec({ capabilities: [capability], grants: [scope] }));
      const may = async (wanted: string, answer: Promise<{ status: number; body: unknown }>) => {
        const expected = capability === wanted ? /^20[01]$/ : /^403 forbidden$/;
        expect(outcome(await answer), `${capability} for ${wanted}`).toMatch(expected);
      };
      await may('memory_write', one.create(scope));
      await may('memory_read', one.query(scope));
      await may('credential_admin', one.issue(minimalSpec));
      await may('credential_admin', one.list());
    }
  });

  testCase('CRD-28 a credential is shown with exactly these members', async ({ admin, clock }) => {
    const expires_at_millis = clock.now() + 1;
    const { credential } = result(
      await admin.issue(spec({ expires_at_millis, grants: [scope, sharedScope, scope] })),
    );
    expect(credential).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tenant_id: 'acme',
      spec: {
        subject_id: 's',
        capabilities: ['memory_read'],
        grants: [scope, sharedScope, scope].map((grant) => ({ ...grant, mission_id: null })),
        expires_at_millis,
      },
      revision: 1,
      revoked_at_millis: null,
      history: [{ revision: 1, action: 'issued', actor_id: admin.id, at_millis: clock.now() }],
    });
  });

  testCase('CRD-26 grants are closed scopes, each one checked', async ({ admin }) => {
    const bad = [
      { ...scope, visibility: 'public' },
      { ...scope, visibility: null },
      { ...scope, tenant_id: 'acme' },
      { ...scope, subject_id: 's' },
      { ...scope, mission_id: '' },
      { ...scope, mission_id: 1 },
      { ...scope, project_id: null },
      { project_id: 'p', visibility: 'shared' },
      'p',
      null,
      [],
    ];
    for (const grant of bad) {
      const answer = await admin.issue(spec({ grants: [scope, grant] }));
      expect(outcome(answer), JSON.stringify(grant)).toBe(refused.invalid);
    }
    for (const grants of [null, {}, 'p', scope, undefined]) {
      expect(outcome(await admin.issue(spec({ grants })))).toBe(refused.invalid);
    }
  });

  testCase('expiries', async ({ admin, clock }) => {
    const issue = async (expires_at_millis: unknown) =>
      outcome(await admin.issue(spec({ expires_at_millis })));
    for (const good of [clock.now() + 1, 2 ** 53 - 1, null]) expect(await issue(good)).toBe('201');
    for (const bad of [-1, 2 ** 53, 1.5, `${clock.now() + 1}`, true]) {
      expect(await issue(bad)).toBe(refused.invalid);
    }
  });

  testCase('subjects are not unique', async ({ admin }) => {
    const [one, other] = [await admin.appoint(minimalSpec), await admin.appoint(minimalSpec)];
    expect(one.id).not.toBe(other.id);
    expect(one.token.slice(37)).not.toBe(other.token.slice(37));
  });
});

describe('policy', () => {
  testCase('CRD-31 a scope policy is stored as given, and omitted if absent', async (t) => {
    const ids = Array.from({ length: 256 }, (_, index) => `project-${index}`);
    const scope_policy = {
      ...openPolicy,
      projects: { mode: 'only', ids },
      agents: { mode: 'only', ids: [] },
      visibilities: ['shared', 'private'],
    };
    const { credential } = result(await t.admin.issue(spec({ scope_policy })));
    expect(credential.spec.scope_policy).toEqual(scope_policy);
    for (const none of [minimalSpec, spec({ scope_policy: null })]) {
      const plain = result(await t.admin.issue(none)).credential;
      expect(Object.keys(plain.spec)).not.toContain('scope_policy');
    }
  });

  testCase('CRD-32, CRD-33 an invalid scope policy is refused', async ({ admin }) => {
    const only = (ids: unknown) => ({ mode: 'only', ids });
    const faults: Record<string, unknown>[] = [
      { version: 1 },
      { projects: { mode: 'all', ids: [] } },
      { projects: { mode: 'only' } },
      { projects: { mode: 'none' } },
      { projects: 'all' },
      { agents: only(['a', 'a']) },
      { agents: only(Array.from({ length: 257 }, (_, index) => `${index}`)) },
      { missions: only([' ']) },
      { missions: only([1]) },
      { missions: only(null) },
      { allow_unassigned_mission: null },
      { allow_unassigned_mission: 'true' },
      { visibilities: [] },
      { visibilities: ['private', 'private'] },
      { visibilities: ['private', 'shared', 'private'] },
      { visibilities: ['public'] },
      { extra: 1 },
    ];
    for (const fault of faults) {
      const answer = await admin.issue(spec({ scope_policy: { ...openPolicy, ...fault } }));
      expect(outcome(answer), JSON.stringify(fault)).toBe(refused.invalid);
    }
  });

  testCase(
    'CRD-33, CRD-35 a scope must satisfy every part of a scope policy',
    async ({ admin }) => {
      const scope_policy = {
        version: 'company_scopes_v1',
        projects: { mode: 'only', ids: ['p', 'P'] },
        agents: { mode: 'only', ids: ['a'] },
        missions: { mode: 'only', ids: ['m'] },
        allow_unassigned_mission: false,
        visibilities: ['private'],
      };
      const agentOf = (policy: unknown) => admin.appoint(spec({ scope_policy: policy }));
      const agent = await agentOf(scope_policy);
      const inside = { ...scope, mission_id: 'm' };
      const asked = async (caller: typeof agent, members: Record<string, unknown>) =>
        outcome(await caller.query({ ...inside, ...members }));
      expect(await asked(agent, {})).toBe('200');
      expect(await asked(agent, { project_id: 'P' })).toBe('200');
      const outside = [
        { project_id: 'q' },
        { agent_id: 'A' },
        { mission_id: 'n' },
        { mission_id: null },
        { visibility: 'shared' },
      ];
      for (const members of outside) expect(await asked(agent, members)).toBe(refused.forbidden);
      const assigned = { ...openPolicy, allow_unassigned_mission: false };
      expect(await asked(await agentOf(assigned), { mission_id: null })).toBe(refused.forbidden);
      expect(await asked(await agentOf(assigned), { mission_id: 'any' })).toBe('200');
      const unassigned = { ...openPolicy, missions: { mode: 'only', ids: [] } };
      expect(await asked(await agentOf(unassigned), { mission_id: null })).toBe('200');
      expect(await asked(await agentOf(unassigned), {})).toBe(refused.forbidden);
    },
  );

  testCase('CRD-36 a grant and a scope policy address the same records', async (t) => {
    const granted = await t.agent();
    const capabilities = ['memory_read', 'memory_write'];
    const permitted = await t.admin.appoint(
      spec({ subject_id: 'alice', capabilities, scope_policy: openPolicy }),
    );
    const id = await granted.created(scope);
    expect(await permitted.found(scope)).toEqual([id]);
    expect(outcome(await permitted.update(scope, [id, 1]))).toBe('200');
  });
});

describe('issue', () => {
  testCase('CRD-56 a repeated request issues another credential', async ({ admin }) => {
    const document = { contract_version: 1, spec: minimalSpec };
    const [one, other] = await Promise.all([
      admin.call('issueCredential', { document }),
      admin.call('issueCredential', { document }),
    ]);
    expect(result(one).credential.id).not.toBe(result(other).credential.id);
    expect(result(await admin.list()).page.items).toHaveLength(3);
  });

  testCase('CRD-53 the tenant is never taken from the request', async ({ admin }) => {
    const documents = [
      { contract_version: 1, spec: minimalSpec, tenant_id: 'acme' },
      { contract_version: 1, spec: spec({ tenant_id: 'acme' }) },
      { contract_version: 1, spec: spec({ grants: [{ ...scope, tenant_id: 'acme' }] }) },
    ];
    for (const document of documents) {
      expect(outcome(await admin.call('issueCredential', { document }))).toBe(refused.invalid);
    }
  });

  // CRD-57
  testCase("an issued administrator has an administrator's rights", async (t) => {
    const second = await t.admin.appoint(spec({ capabilities: ['credential_admin'] }));
    const third = await second.appoint(minimalSpec);
    expect(third.credential.history[0]?.actor_id).toBe(second.id);
    expect(outcome(await second.revoke(t.admin.id, 1))).toBe('200');
  });

  testCase('changing a returned document does not change what is stored', async (t) => {
    const agent = await t.agent({ grants: [scope] });
    const shown = result(await agent.whoAmI()).credential;
    shown.spec.grants.push({ ...sharedScope, mission_id: null });
    shown.spec.capabilities.push('credential_admin');
    expect(outcome(await agent.query(sharedScope))).toBe(refused.forbidden);
    expect(outcome(await agent.list())).toBe(refused.forbidden);
    expect(result(await agent.whoAmI()).credential).toEqual(agent.credential);
  });
});

describe('first administrator', () => {
  testCase('INS-17 it has two capabilities, no grants and no expiry', async (t) => {
    const { admin } = t;
    const { credential } = result(await admin.whoAmI());
    expect(credential).toEqual({
      id: admin.id,
      tenant_id: 'acme',
      spec: {
        subject_id: 'ops',
        capabilities: ['policy_admin', 'credential_admin'],
        grants: [],
        expires_at_millis: null,
      },
      revision: 1,
      revoked_at_millis: null,
      history: [
        { revision: 1, action: 'bootstrapped', actor_id: admin.id, at_millis: t.clock.now() },
      ],
    });
    expect(credential).toEqual(admin.credential);
    expect(outcome(await admin.query(scope))).toBe(refused.forbidden);
  });

  testCase(
    'OPR-5 a tenant is bootstrapped once, even if its first credential is revoked',
    async (t) => {
      const again = () => bootstrapTenant(t.keep, { tenantId: 'acme', subjectId: 'ops' });
      await expect(again()).rejects.toMatchObject({ code: 'tenant_exists' });
      result(await t.admin.revoke(t.admin.id, 1));
      await expect(again()).rejects.toMatchObject({ code: 'tenant_exists' });
      expect((await t.foreignAdmin('acme ')).credential.tenant_id).toBe('acme ');
    },
  );

  testCase('ids follow the text rule', async (t) => {
    for (const bad of ['', ' ', 'a\n', 'a'.repeat(257), '\ud800']) {
      for (const ids of [
        { tenantId: bad, subjectId: 'ops' },
        { tenantId: 'new', subjectId: bad },
      ]) {
        await expect(bootstrapTenant(t.keep, ids)).rejects.toMatchObject({
          code: 'invalid_request',
        });
      }
    }
    expect((await t.foreignAdmin('new')).credential.tenant_id).toBe('new');
  });
});
