/**
 * Order of checks of the operations on credentials (docs/contract/order-of-checks.md#ord-1): the
 * earlier of two faults decides the response.
 */
import { describe } from 'vitest';
import { refused, result } from '../harness/answer.js';
import { minimalSpec, openPolicy, scope, spec } from '../harness/documents.js';
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

/** Returns a target credential in the state that a fault needs. */
async function target({ admin }: Fixture, revoked = false): Promise<string> {
  const { id } = await admin.appoint(minimalSpec);
  if (revoked) result(await admin.revoke(id, 1));
  return id;
}

describe('credentials', () => {
  bothWays('CRD-73, CRD-54, ORD-13 issue', async (t) => {
    const blank = { ...minimalSpec, subject_id: ' ' };
    await expectOrder(t, {
      operation: 'issueCredential',
      valid: { token: t.admin.token, document: { contract_version: 1, spec: { ...minimalSpec } } },
      faults: [
        noProof,
        as(await t.agent()),
        unknownMember,
        otherVersion,
        ['spec', refused.invalid, ({ document }) => (document!['spec'] = blank)],
        [
          'past expiry',
          refused.invalid,
          ({ document }) => (document!['spec'] = spec({ expires_at_millis: t.clock.now() })),
        ],
      ],
    });
  });

  bothWays('DIR-23 list', async (t) => {
    await expectOrder(t, {
      operation: 'listTenantCredentials',
      valid: { token: t.admin.token, parameters: { contract_version: 1 } },
      faults: [
        noProof,
        ['query', refused.invalid, ({ parameters }) => (parameters!['x'] = 1)],
        otherVersion,
        ['limit', refused.invalid, ({ parameters }) => (parameters!['limit'] = 101)],
        [
          'cursor length',
          refused.invalid,
          ({ parameters }) => (parameters!['cursor'] = 'a'.repeat(8_193)),
        ],
        as(await t.agent()),
        ['cursor', refused.invalid, ({ parameters }) => (parameters!['cursor'] = 'invalid')],
      ],
    });
  });

  bothWays('CRD-70 inspect', async (t) => {
    await expectOrder(t, {
      operation: 'inspectCredential',
      valid: { token: t.admin.token, id: t.admin.id },
      faults: [noProof, as(await t.agent()), badId, unknown],
    });
  });

  for (const operation of ['rotateCredential', 'revokeCredential'] as const) {
    bothWays(operation, async (t) => {
      const document = { contract_version: 1, expected_revision: 1 };
      const foreign = (await t.foreignAdmin()).id;
      const first = [noProof, as(await t.agent()), unknownMember, otherVersion, badId];
      await expectOrder(t, {
        operation,
        valid: { token: t.admin.token, id: await target(t), document },
        faults: [
          ...first,
          unknown,
          ['foreign id', refused.forbidden, (draft) => (draft.id = foreign)],
          stale,
        ],
      });
      const revoked: Fault = ['revoked', refused.forbidden, () => undefined];
      await expectOrder(t, {
        operation,
        valid: {
          token: t.admin.token,
          id: await target(t, true),
          document: { ...document, expected_revision: 2 },
        },
        faults: [...first, stale, revoked],
      });
    });
  }

  bothWays('CRD-73, CRD-90, CRD-34 scope authority', async (t) => {
    const document = { contract_version: 1, expected_revision: 1, authority: { grants: [] } };
    const first = [noProof, as(await t.agent()), badShape('authority'), otherVersion, badId];
    const authority = (name: string, value: unknown): Fault => [
      name,
      refused.invalid,
      (draft) => (draft.document!['authority'] = value),
    ];
    const rules = [
      authority('policy with grants', { grants: [scope], scope_policy: openPolicy }),
      authority('text', { grants: [{ ...scope, project_id: ' ' }] }),
      authority('repeated ids', {
        grants: [],
        scope_policy: { ...openPolicy, projects: { mode: 'only', ids: ['a', 'a'] } },
      }),
    ];
    await expectOrder(t, {
      operation: 'changeScopeAuthority',
      valid: { token: t.admin.token, id: await target(t), document },
      faults: [...first, unknown, stale, ...rules],
    });
    await expectOrder(t, {
      operation: 'changeScopeAuthority',
      valid: { token: t.admin.token, id: t.admin.id, document },
      faults: [
        stale,
        authority('policy for an administrator', { grants: [], scope_policy: openPolicy }),
      ],
    });
    const revoked: Fault = [
      'revoked',
      refused.forbidden,
      (draft) => (draft.document!['expected_revision'] = 2),
    ];
    await expectOrder(t, {
      operation: 'changeScopeAuthority',
      valid: { token: t.admin.token, id: await target(t, true), document },
      faults: [
        ...first,
        revoked,
        ['stale', refused.forbidden, stale[2]],
        ...rules.map(([name, , put]) => [name, refused.forbidden, put] as const),
      ],
    });
    const ends = t.clock.now() + 1;
    const expired = await t.admin.appoint(spec({ expires_at_millis: ends }));
    t.clock.advance(1);
    await expectOrder(t, {
      operation: 'changeScopeAuthority',
      valid: { token: t.admin.token, id: expired.id, document },
      faults: [...first, stale, ['expired', refused.invalid, () => undefined]],
    });
  });
});
