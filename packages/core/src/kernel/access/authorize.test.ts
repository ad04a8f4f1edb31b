/** Authorization is the same for every kind of principal. */
import { describe, expect, test } from 'vitest';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { authorize, type Requirement } from './authorize.js';
import { type ActingCredential, HeldProof, type Principal } from './principal.js';

const scope = {
  project_id: 'p',
  mission_id: null,
  agent_id: 'a',
  visibility: 'shared',
} as const;
const credential: ActingCredential = {
  id: '01934f2a-7c1b-7000-8000-1234567890ab',
  tenantId: 't',
  spec: {
    subject_id: 's',
    capabilities: ['memory_read'],
    grants: [scope],
    expires_at_millis: null,
  },
  revision: 1,
  verifier: 'v',
  revokedAtMillis: null,
};
const principal = (acting: ActingCredential | null): Principal => ({
  kind: 'account',
  authority: { kind: 'tenant', tenant_id: 't' },
  id: credential.id,
  username: 'ann',
  presence: { kind: 'session', sessionId: credential.id },
  ...(acting === null ? { credential: null, global: null } : { credential: acting, global: null }),
  role: null,
  held: new HeldProof({
    kind: 'session',
    authority: 't',
    accountId: credential.id,
    sessionId: credential.id,
    token: null,
  }),
});
const refusal = (act: Principal, requirement: Requirement): AgentkeepError => {
  try {
    authorize(act, requirement);
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'forbidden') return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('authorize', () => {
  test('returns the credential if it covers capability and scope', () => {
    expect(authorize(principal(credential), { capability: 'memory_read', scope })).toBe(credential);
    expect(authorize(principal(credential), {})).toBe(credential);
  });

  test('names the capability that is missing', () => {
    const { message, members } = refusal(principal(credential), {
      capability: 'memory_write',
      scope,
    });
    expect(message).toBe(
      'The credential lacks the capability `memory_write`. Ask an administrator for a credential that has it.',
    );
    expect(members).toEqual([]);
  });

  test('names the scope without a grant, and in what the nearest grant differs', () => {
    const other = { ...scope, mission_id: 'm', visibility: 'private' } as const;
    const { message, members } = refusal(principal(credential), {
      capability: 'memory_read',
      scope: other,
    });
    const expected =
      'a scope granted to the credential, but the nearest one differs in mission_id and visibility';
    expect(members).toEqual([{ path: 'scope', expected }]);
    expect(message).toMatch(`\`scope\`: expected ${expected}. `);
  });

  test('says that a credential has no scope at all', () => {
    const spec = { ...credential.spec, grants: [] };
    const { members } = refusal(principal({ ...credential, spec }), { scope });
    expect(members[0]?.expected).toBe('a scope granted to the credential, but it is granted none');
  });

  test('names the members that a policy does not permit', () => {
    const scope_policy = {
      version: 'company_scopes_v1',
      projects: { mode: 'all' },
      agents: { mode: 'only', ids: ['b'] },
      missions: { mode: 'all' },
      allow_unassigned_mission: false,
      visibilities: ['shared'],
    } as const;
    const spec = { ...credential.spec, grants: [], scope_policy };
    const { members } = refusal(principal({ ...credential, spec: spec as never }), { scope });
    expect(members[0]?.expected).toMatch('differs in mission_id and agent_id');
  });

  test('says that a principal acts with no credential', () => {
    expect(refusal(principal(null), {}).message).toMatch('acts with no credential of a tenant');
  });
});
