/** Which callers may change which login account. */
import { describe, expect, test } from 'vitest';
import type { AdminRole } from '../../../kernel/access/capability.js';
import type { ActingGlobalCredential } from '../../../kernel/access/principal.js';
import type { StoredAccount } from '../account/stored-account.js';
import { decideChange } from './manage-login-accounts.js';

const own = '01934f2a-7c1b-7000-8000-1234567890ab';
const other = '01934f2a-7c1b-7000-8000-1234567890ac';

const account = (members: Partial<StoredAccount> = {}): StoredAccount => ({
  authority: '',
  id: own,
  username: 'ann',
  email: null,
  roles: ['Read'],
  isActive: true,
  credentialId: null,
  revision: 3,
  createdAtMillis: 0,
  updatedAtMillis: 0,
  lastLoginMillis: null,
  disabledAtMillis: null,
  deletedAtMillis: null,
  links: null,
  ...members,
});

const credential = (isMaster: boolean): ActingGlobalCredential => ({
  id: other,
  isMaster,
  spec: { subject_id: 's', capabilities: [], expires_at_millis: null },
  revision: 1,
  verifier: 'v',
  revokedAtMillis: null,
});

interface Traits {
  readonly kind?: 'account' | 'credential';
  readonly id?: string;
  readonly role?: AdminRole | null;
  readonly isMaster?: boolean;
}

function decision(target: StoredAccount | undefined, traits: Traits = {}, revision = 3): string {
  const { kind = 'account', id = other, role = null, isMaster } = traits;
  const global = isMaster === undefined ? null : credential(isMaster);
  return decideChange({ kind, id, role, global }, target, revision).type;
}

describe('an account without rights over others', () => {
  test('can be changed by any caller of the view', () => {
    expect(decision(account())).toBe('proceed');
    expect(decision(account({ roles: [] }), { kind: 'credential' })).toBe('proceed');
    expect(decision(account({ isActive: false }))).toBe('proceed');
  });

  test('is reported missing or disabled before a stale revision', () => {
    expect(decision(undefined, {}, 9)).toBe('forbidden');
    expect(decision(account({ disabledAtMillis: 1 }), {}, 9)).toBe('forbidden');
    expect(decision(account(), {}, 9)).toBe('stale');
    expect(decision(account(), {}, 0)).toBe('stale');
  });
});

describe.each(['Admin', 'SuperAdmin'])('an account with the role %s', (role) => {
  const target = account({ roles: ['Read', role] });

  test.each<[who: string, traits: Traits, expected: string]>([
    ['a credential of its tenant', { kind: 'credential', role: 'Admin' }, 'forbidden'],
    ['another account', {}, 'forbidden'],
    ['an Admin', { role: 'Admin' }, 'forbidden'],
    ['a delegate', { isMaster: false }, 'forbidden'],
    ['a credential with its id', { kind: 'credential', id: own }, 'forbidden'],
    ['a SuperAdmin', { role: 'SuperAdmin' }, 'proceed'],
    ['an account of the master', { isMaster: true }, 'proceed'],
    ['itself', { id: own, role: 'Admin' }, 'proceed'],
  ])('and %s', (_, traits, expected) => {
    expect(decision(target, traits)).toBe(expected);
    expect(decision(target, traits, 9)).toBe(expected === 'proceed' ? 'stale' : expected);
  });
});
