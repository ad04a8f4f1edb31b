/** Authorization is the same for every kind of principal. */
import { describe, expect, test } from 'vitest';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { authorize } from './authorize.js';
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
const forbidden = new AgentkeepError('forbidden');

describe('authorize', () => {
  test('returns the credential if it covers capability and scope', () => {
    expect(authorize(principal(credential), { capability: 'memory_read', scope })).toBe(credential);
    expect(authorize(principal(credential), {})).toBe(credential);
  });

  test('refuses a missing capability and a scope without a grant', () => {
    const act = principal(credential);
    expect(() => authorize(act, { capability: 'memory_write', scope })).toThrow(forbidden);
    const missing = { ...scope, mission_id: 'm' };
    expect(() => authorize(act, { capability: 'memory_read', scope: missing })).toThrow(forbidden);
  });

  test('refuses a principal without a credential, whatever the requirement', () => {
    expect(() => authorize(principal(null), {})).toThrow(forbidden);
  });
});
