/** The authority that a caller acts in. */
import { hasTenant } from '../ports/known-callers.js';
import { answeredPorts } from '../ports/port.js';
import { expect, test } from 'vitest';
import { actingAuthority } from './acting-authority.js';
import { HeldProof, type Authority, type Principal } from '../access/principal.js';
import type { AdminRole } from '../access/capability.js';
import { testStore } from '@agentkeep/testkit/test-store';

const id = '01934f2a-7c1b-7000-8000-1234567890ab';

const party = (authority: Authority, role: AdminRole | null): Principal => ({
  kind: 'account',
  authority,
  id,
  username: 'ann',
  presence: { kind: 'session', sessionId: id },
  credential: null,
  global: null,
  role,
  held: new HeldProof({
    kind: 'session',
    authority: '',
    accountId: id,
    sessionId: id,
    token: null,
  }),
});

/** One tenant exists. */
const ports = answeredPorts(hasTenant.answeredBy((_, tenantId) => tenantId === 'acme'));

const root = party({ kind: 'global' }, 'Admin');
const reader = party({ kind: 'global' }, null);
const tenantAdmin = party({ kind: 'tenant', tenant_id: 'acme' }, 'SuperAdmin');

test.each<[string, Principal, string | undefined, string]>([
  ['its own by default', root, undefined, ''],
  ['its own by default', tenantAdmin, undefined, 'acme'],
  ['its own by name', tenantAdmin, 'acme', 'acme'],
  ['a tenant that it names, for an administrator', root, 'acme', 'acme'],
  ['no tenant that does not exist', root, 'ghost', 'tenant_not_found'],
  ['not the installation by an empty name', root, '', 'tenant_not_found'],
  ['no tenant by a name that none can have', root, 'x'.repeat(9_000), 'tenant_not_found'],
  ['no tenant, without a role', reader, 'acme', 'forbidden'],
  ['no other tenant', tenantAdmin, 'other', 'forbidden'],
  ['nothing by an empty name', tenantAdmin, '', 'forbidden'],
])('is %s', async (_, principal, asked, expected) => {
  const store = testStore();
  const acted = store.read((tx) => actingAuthority(tx, principal, asked, { ports }));
  await expect(acted.catch((error: unknown) => (error as { code: string }).code)).resolves.toBe(
    expected,
  );
});
