/** Permissions to revoke, rotate, inspect and issue credentials of the installation. */
import { describe, expect, test } from 'vitest';
import { type GlobalCapability, globalCapabilities } from '../../../kernel/access/capability.js';
import type { ActingGlobalCredential } from '../../../kernel/access/principal.js';
import { decideEnding, mayInspect, mayIssue } from './global-credential-policy.js';

function credential(
  id: string,
  capabilities: readonly GlobalCapability[],
  members: Partial<ActingGlobalCredential> = {},
): ActingGlobalCredential {
  return {
    id,
    isMaster: false,
    spec: { subject_id: 's', capabilities, expires_at_millis: null },
    revision: 3,
    verifier: 'v',
    revokedAtMillis: null,
    ...members,
  };
}

const full = credential('full', globalCapabilities);
const master = credential('master', globalCapabilities, { isMaster: true });
const creator = credential('creator', ['tenant_create']);
const revoked = credential('revoked', ['tenant_create'], { revokedAtMillis: 1 });

describe('decideEnding', () => {
  test.each([
    ['a delegate, a narrower one', full, creator, 3, 'proceed'],
    ['a delegate, one that is alike', full, credential('other', globalCapabilities), 3, 'proceed'],
    ['a delegate, the master', full, master, 3, 'forbidden'],
    ['the master, itself', master, master, 3, 'proceed'],
    ['the master, a delegate', master, full, 3, 'proceed'],
    ['one without the capability, itself', creator, creator, 3, 'proceed'],
    ['one without the capability, another', creator, revoked, 3, 'forbidden'],
    [
      'one with fewer capabilities',
      credential('x', ['global_credential_admin']),
      creator,
      3,
      'forbidden',
    ],
    ['an unknown target', master, undefined, 3, 'forbidden'],
    ['a stale revision', master, creator, 2, 'stale'],
    ['a revoked target', master, revoked, 3, 'forbidden'],
    ['a revoked target at a stale revision', master, revoked, 2, 'stale'],
    ['no authority at a stale revision', full, master, 2, 'forbidden'],
  ] as const)('%s', (_, actor, target, revision, expected) => {
    expect(decideEnding(actor, target, revision).type).toBe(expected);
  });
});

test('mayInspect requires every capability of the target, also for the master', () => {
  expect(mayInspect(full, master)).toBe(true);
  expect(mayInspect(full, revoked)).toBe(true);
  expect(mayInspect(creator, full)).toBe(false);
  expect(mayInspect(full, undefined)).toBe(false);
});

describe('mayIssue', () => {
  const ends = credential('ends', ['tenant_create', 'tenant_inspect'], {
    spec: {
      subject_id: 's',
      capabilities: ['tenant_create', 'tenant_inspect'],
      expires_at_millis: 10,
    },
  });
  test.each([
    [['tenant_create'], 10, true],
    [['tenant_inspect', 'tenant_create'], 9, true],
    [['tenant_create'], 11, false],
    [['tenant_create'], null, false],
    [['tenant_admin'], 9, false],
  ] as const)('%j until %j is %j', (capabilities, expires_at_millis, expected) => {
    expect(mayIssue(ends, { capabilities, expires_at_millis })).toBe(expected);
  });
});
