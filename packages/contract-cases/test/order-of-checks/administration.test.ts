/**
 * Order of checks of the installation's operations (docs/contract/order-of-checks.md#ord-1): the
 * earlier of two faults decides the response.
 */
import { describe } from 'vitest';
import { refused, result } from '../harness/answer.js';
import { spec } from '../harness/documents.js';
import {
  as,
  badId,
  badShape,
  expectOrder,
  type Fault,
  noProof,
  otherVersion,
} from '../harness/faults.js';
import { stale, unknown, unknownMember } from '../harness/faults.js';
import { bothWays, type Fixture } from '../harness/fixture.js';
import { everyCapability, type GlobalCaller, minimalGlobalSpec } from '../harness/global-caller.js';

/** Sets a member of the document. */
const member = (
  name: string,
  key: string,
  value: unknown,
  expected: string = refused.invalid,
): Fault => [name, expected, ({ document }) => (document![key] = value)];

/** The caller's authority is a tenant's. */
const asTenant = (t: Fixture): Fault => ['family', refused.forbidden, as(t.admin)[2]];

/** Returns a master, a delegate with all capabilities, and one that lacks one. */
async function parties(t: Fixture, missing: string) {
  const master = await t.master();
  const rest = everyCapability.filter((each) => each !== missing);
  const full = await master.delegate(everyCapability, { expires_at_millis: t.clock.now() + 9 });
  return { master, full, lacking: await master.delegate(rest) };
}

describe('credentials of the installation', () => {
  bothWays('issue', async (t) => {
    const { full, lacking } = await parties(t, 'global_credential_admin');
    const end = t.clock.now() + 9;
    const good = { ...minimalGlobalSpec, expires_at_millis: end };
    await expectOrder(t, {
      operation: 'issueGlobalCredential',
      valid: { token: full.token, document: { contract_version: 1, spec: good } },
      faults: [
        noProof,
        asTenant(t),
        unknownMember,
        otherVersion,
        as(lacking),
        member('subject', 'spec', { ...good, subject_id: ' ' }),
        member('past expiry', 'spec', { ...good, expires_at_millis: t.clock.now() }),
        member(
          'later than its issuer',
          'spec',
          { ...good, expires_at_millis: end + 1 },
          refused.forbidden,
        ),
      ],
    });
  });

  bothWays('issue: an unknown member of the spec is shape, not rule', async (t) => {
    const { full, lacking } = await parties(t, 'global_credential_admin');
    for (const fault of [
      member('member', 'spec', { ...minimalGlobalSpec, is_master: true }),
      member('none', 'spec', { subject_id: 's' }),
    ]) {
      await expectOrder(t, {
        operation: 'issueGlobalCredential',
        valid: {
          token: full.token,
          document: {
            contract_version: 1,
            spec: { ...minimalGlobalSpec, expires_at_millis: t.clock.now() + 9 },
          },
        },
        faults: [noProof, asTenant(t), fault, as(lacking)],
      });
    }
  });

  bothWays('list', async (t) => {
    const { master, full } = await parties(t, 'tenant_create');
    await expectOrder(t, {
      operation: 'listGlobalCredentials',
      valid: { token: master.token, parameters: { contract_version: 1 } },
      faults: listFaults(t, full),
    });
  });

  bothWays('INS-103 inspect', async (t) => {
    const { full, lacking } = await parties(t, 'global_credential_admin');
    await expectOrder(t, {
      operation: 'inspectGlobalCredential',
      valid: { token: full.token, id: full.id, parameters: {} },
      faults: [
        noProof,
        asTenant(t),
        badId,
        as(lacking),
        ['query', refused.invalid, ({ parameters }) => (parameters!['x'] = 1)],
        ['limit', refused.invalid, ({ parameters }) => (parameters!['limit'] = 0)],
        unknown,
      ],
    });
  });

  for (const operation of ['rotateGlobalCredential', 'revokeGlobalCredential'] as const) {
    bothWays(operation, async (t) => {
      const { master, full, lacking } = await parties(t, 'global_credential_admin');
      const document = { contract_version: 1, expected_revision: 1 };
      const target = await master.delegate(['tenant_inspect']);
      const first = [noProof, asTenant(t), unknownMember, otherVersion, badId];
      const toMaster: Fault = ['the master', refused.forbidden, (draft) => (draft.id = master.id)];
      await expectOrder(t, {
        operation,
        valid: { token: full.token, id: target.id, document },
        faults: [...first, unknown, toMaster, as(lacking), stale],
      });
      const revoked = await master.delegate(['tenant_inspect']);
      result(await master.revoke(revoked.id, 1));
      await expectOrder(t, {
        operation,
        valid: {
          token: full.token,
          id: revoked.id,
          document: { ...document, expected_revision: 2 },
        },
        faults: [...first, as(lacking), stale, ['revoked', refused.forbidden, () => undefined]],
      });
    });
  }
});

describe('tenants', () => {
  bothWays('INS-102, ORD-13 register', async (t) => {
    const { full, lacking } = await parties(t, 'tenant_create');
    await expectOrder(t, {
      operation: 'registerTenant',
      valid: {
        token: full.token,
        document: { contract_version: 1, tenant_id: 'acme', subject_id: 'ops' },
      },
      faults: [
        noProof,
        asTenant(t),
        badShape('subject_id'),
        otherVersion,
        member('display name', 'display_name', ' '),
        as(lacking),
        member('tenant id', 'tenant_id', ' '),
        member('subject id', 'subject_id', 'a\u0000'),
        ['taken', refused.stale, () => undefined],
      ],
    });
  });

  bothWays('list', async (t) => {
    const { full, lacking } = await parties(t, 'tenant_inspect');
    await expectOrder(t, {
      operation: 'listTenants',
      valid: { token: full.token, parameters: { contract_version: 1 } },
      faults: listFaults(t, lacking),
    });
  });

  bothWays('inspect', async (t) => {
    const { full, lacking } = await parties(t, 'tenant_inspect');
    await expectOrder(t, {
      operation: 'inspectTenant',
      valid: { token: full.token, id: 'acme' },
      faults: [noProof, asTenant(t), badTenant, as(lacking), absentTenant],
    });
  });

  bothWays('INS-102 appoint', async (t) => {
    const { full, lacking } = await parties(t, 'tenant_admin');
    await expectOrder(t, {
      operation: 'issueTenantAdmin',
      valid: {
        token: full.token,
        id: 'acme',
        document: { contract_version: 1, subject_id: 'deputy' },
      },
      faults: [
        noProof,
        asTenant(t),
        unknownMember,
        otherVersion,
        badTenant,
        as(lacking),
        member('subject id', 'subject_id', ' '),
        absentTenant,
      ],
    });
  });
});

describe('storage quotas', () => {
  bothWays('show', async (t) => {
    const { full, lacking } = await parties(t, 'tenant_inspect');
    await expectOrder(t, {
      operation: 'getStorageQuota',
      valid: { token: full.token, id: 'acme' },
      faults: [noProof, asTenant(t), badTenant, as(lacking), absentTenant],
    });
  });

  bothWays('set', async (t) => {
    const { full, lacking } = await parties(t, 'tenant_admin');
    await expectOrder(t, {
      operation: 'setStorageQuota',
      valid: {
        token: full.token,
        id: 'acme',
        document: { contract_version: 1, max_entries: null, max_bytes: 1_000 },
      },
      faults: [
        noProof,
        asTenant(t),
        unknownMember,
        otherVersion,
        badTenant,
        as(lacking),
        absentTenant,
      ],
    });
  });
});

describe('a tenant', () => {
  bothWays("ORD-1 checks for the installation's authority before anything else", async (t) => {
    const master = await t.master();
    const asMaster: Fault = ['family', refused.unauthorized, as(master)[2]];
    const agent = await t.agent();
    await expectOrder(t, {
      operation: 'issueCredential',
      valid: {
        token: t.admin.token,
        document: { contract_version: 1, spec: spec({}) },
      },
      faults: [asMaster, as(agent), unknownMember],
    });
  });
});

const badTenant: Fault = ['tenant', refused.invalid, (draft) => (draft.id = ' ')];
const absentTenant: Fault = ['absent', refused.noTenant, (draft) => (draft.id = 'absent')];

function listFaults(t: Fixture, lacking: GlobalCaller): Fault[] {
  const put = (name: string, key: string, value: unknown): Fault => [
    name,
    refused.invalid,
    ({ parameters }) => (parameters![key] = value),
  ];
  return [
    noProof,
    asTenant(t),
    put('query', 'x', 1),
    otherVersion,
    put('limit', 'limit', 101),
    put('cursor length', 'cursor', 'a'.repeat(8_193)),
    as(lacking),
    put('cursor', 'cursor', 'invalid'),
  ];
}
