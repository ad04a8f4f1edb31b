/** Rights over accounts. */
import { describe, expect, test } from 'vitest';
import type { AdminRole } from './capability.js';
import { missingRight, missingRightToGrant } from './authorize.js';

const roles: readonly (AdminRole | null)[] = [null, 'Admin', 'SuperAdmin'];

describe('rights to manage an account', () => {
  test.each([
    // role, by credential, roles of the account, its credential issues others, missing right
    [null, false, [], false, 'admin'],
    [null, true, [], false, 'admin'],
    ['Admin', false, [], false, undefined],
    ['Admin', false, ['Read', 'admin', 'Administrator'], false, undefined],
    ['Admin', false, ['Admin'], false, 'super_admin'],
    ['Admin', false, ['Read', 'SuperAdmin'], false, 'super_admin'],
    ['Admin', false, ['Read'], true, 'super_admin'],
    ['Admin', true, ['Read'], true, undefined],
    ['Admin', true, ['Admin'], true, 'super_admin'],
    ['Admin', true, ['SuperAdmin'], false, 'super_admin'],
    ['SuperAdmin', false, ['Admin'], true, undefined],
    ['SuperAdmin', false, ['SuperAdmin'], true, undefined],
    ['SuperAdmin', true, ['SuperAdmin'], false, undefined],
  ] as const)('%s, by credential %s, over %j, privileged %s: %s', (...row) => {
    const [role, isCredential, held, isPrivileged, missing] = row;
    expect(missingRight({ role, isCredential }, { roles: held, isPrivileged })).toBe(missing);
  });
});

test('only a SuperAdmin grants roles that carry rights', () => {
  for (const role of roles) {
    for (const isCredential of [false, true]) {
      const manager = { role, isCredential };
      expect(missingRightToGrant(manager, ['Read', 'superadmin'])).toBeUndefined();
      for (const granted of ['Admin', 'SuperAdmin']) {
        const missing = role === 'SuperAdmin' ? undefined : 'super_admin';
        expect(missingRightToGrant(manager, ['Read', granted])).toBe(missing);
      }
    }
  }
});
