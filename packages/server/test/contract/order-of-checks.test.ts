/**
 * The order of checks of every operation (contract 1.8, 3.4 to 3.8, 4.3 to 4.5): of each pair of
 * faults in one call, the earlier one is told.
 * @module
 */
import type { OperationName } from '@agentkeep/core';
import { describe, expect } from 'vitest';
import { outcome, type Parts, refused, result } from './answer.js';
import type { Caller } from './caller.js';
import { minimalRecord, minimalSpec, openPolicy, record, scope, spec } from './documents.js';
import { unknownId } from './documents.js';
import { bothWays, type Fixture } from './fixture.js';

/** A call while faults are put into it. */
interface Draft extends Parts {
  token: string;
  id?: unknown;
  parameters?: Record<string, unknown>;
  document?: Record<string, unknown>;
}

/** A fault: its outcome alone and how it gets into a call. */
type Fault = readonly [name: string, outcome: string, put: (draft: Draft) => void];

interface Subject {
  readonly operation: OperationName;
  /** A call without a fault. */
  readonly valid: Draft;
  /** Ordered by which is told first. A later fault may overwrite no member of an earlier one. */
  readonly faults: readonly Fault[];
}

const noProof: Fault = ['proof', refused.unauthorized, (draft) => (draft.token = 'ak1_x')];
const badShape = (member: string): Fault => [
  'shape',
  refused.invalid,
  ({ document }) => (document![member] = 7),
];
const unknownMember: Fault = ['member', refused.invalid, ({ document }) => (document!['x'] = 1)];
const otherVersion: Fault = [
  'version',
  refused.version,
  ({ document, parameters }) => ((document ?? parameters)!['contract_version'] = 2),
];
const badId: Fault = ['id', refused.invalid, (draft) => (draft.id = 'x')];
const unknown: Fault = ['unknown id', refused.forbidden, (draft) => (draft.id = unknownId)];
const stale: Fault = [
  'revision',
  refused.stale,
  ({ document }) => (document!['expected_revision'] = 9),
];
const as = (caller: Caller): Fault => [
  'capability',
  refused.forbidden,
  (draft) => (draft.token = caller.token),
];

/** Tests a fault alone, then every pair; the earlier fault is put in last, so that it stays. */
async function expectOrder(t: Fixture, { operation, valid, faults }: Subject): Promise<void> {
  const answer = async (put: readonly Fault[]) => {
    const draft = structuredClone(valid);
    for (const [, , into] of put) into(draft);
    return outcome(await t.transport(operation, draft.token, draft));
  };
  for (const [index, first] of faults.entries()) {
    expect(await answer([first]), first[0]).toBe(first[1]);
    for (const later of faults.slice(index + 1)) {
      expect(await answer([later, first]), `${first[0]} before ${later[0]}`).toBe(first[1]);
    }
  }
}

/** An administrator's target, moved to the state that a fault needs. */
async function target({ admin }: Fixture, revoked = false): Promise<string> {
  const { id } = await admin.appoint(minimalSpec);
  if (revoked) result(await admin.revoke(id, 1));
  return id;
}

describe('credentials', () => {
  bothWays('1.8 and 3.4 issue', async (t) => {
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

  bothWays('3.5 list', async (t) => {
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

  bothWays('3.6 inspect', async (t) => {
    await expectOrder(t, {
      operation: 'inspectCredential',
      valid: { token: t.admin.token, id: t.admin.id },
      faults: [noProof, as(await t.agent()), badId, unknown],
    });
  });

  for (const operation of ['rotateCredential', 'revokeCredential'] as const) {
    bothWays(`3.7 ${operation}`, async (t) => {
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

  bothWays('3.8 scope authority', async (t) => {
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

describe('memory', () => {
  const scopeText: Fault = [
    'scope text',
    refused.invalid,
    ({ document }) => (document!['scope'] = { ...scope, agent_id: ' ' }),
  ];
  const grant: Fault = [
    'grant',
    refused.forbidden,
    ({ document }) => (document!['scope'] = { ...scope, agent_id: 'z' }),
  ];

  bothWays('4.3 command', async (t) => {
    const agent = await t.agent();
    const record_id = await agent.created(scope);
    const deleted = await agent.created(scope);
    result(await agent.delete(scope, [deleted, 1]));
    result(await agent.create(scope, minimalRecord, 'used'));
    const operation = (name: string, expected: string, members: Record<string, unknown>): Fault => [
      name,
      expected,
      ({ document }) => Object.assign(document!['operation'] as object, members),
    ];
    const late = record({ event_time_millis: 8_210_266_876_800_000 });
    const key = (name: string, expected: string, value: string): Fault => [
      name,
      expected,
      ({ document }) => (document!['idempotency_key'] = value),
    ];
    await expectOrder(t, {
      operation: 'executeMemoryCommand',
      valid: {
        token: agent.token,
        document: {
          contract_version: 1,
          idempotency_key: 'fresh',
          scope: { ...scope },
          operation: { type: 'update', record_id, expected_revision: 1, record: minimalRecord },
        },
      },
      faults: [
        noProof,
        unknownMember,
        operation('record id form', refused.invalid, { record_id: 'x' }),
        otherVersion,
        scopeText,
        as(t.admin),
        grant,
        key('key text', refused.invalid, ' '),
        key('used key', refused.otherCommand, 'used'),
        operation('payload bounds', refused.invalid, { record: late }),
        operation('unknown id', refused.noRecord, { record_id: unknownId }),
        operation('revision', refused.stale, { expected_revision: 9 }),
        operation('deleted', refused.noRecord, { record_id: deleted, expected_revision: 2 }),
      ],
    });
  });

  bothWays('4.4 read', async (t) => {
    const agent = await t.agent();
    const place = (name: string, expected: string, members: Record<string, unknown>): Fault => [
      name,
      expected,
      ({ parameters }) => Object.assign(parameters!, members),
    ];
    await expectOrder(t, {
      operation: 'readMemoryRecord',
      valid: {
        token: agent.token,
        id: await agent.created(scope),
        parameters: { contract_version: 1, ...scope },
      },
      faults: [
        noProof,
        place('query', refused.invalid, { visibility: 'public' }),
        place('unknown parameter', refused.invalid, { x: 1 }),
        otherVersion,
        place('scope text', refused.invalid, { agent_id: ' ' }),
        as(t.admin),
        place('grant', refused.forbidden, { agent_id: 'z' }),
        badId,
        ['absent', refused.noRecord, (draft) => (draft.id = unknownId)],
      ],
    });
  });

  bothWays('4.5 query', async (t) => {
    const agent = await t.agent();
    const filter = (name: string, members: Record<string, unknown>): Fault => [
      name,
      refused.invalid,
      ({ document }) => Object.assign(document!['filter'] as object, members),
    ];
    await expectOrder(t, {
      operation: 'queryMemory',
      valid: {
        token: agent.token,
        document: { contract_version: 1, scope: { ...scope }, filter: {} },
      },
      faults: [
        noProof,
        unknownMember,
        filter('filter shape', { tag: 1 }),
        otherVersion,
        scopeText,
        as(t.admin),
        grant,
        filter('limit', { limit: 0 }),
        filter('scan limit', { scan_limit: 10_001 }),
        filter('tags', { tags: [] }),
      ],
    });
  });
});
