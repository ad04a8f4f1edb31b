/**
 * Order of checks of the operations on memory (docs/contract/order-of-checks.md#ord-1): the earlier
 * of two faults decides the response.
 */
import { describe } from 'vitest';
import { refused, result } from '../harness/answer.js';
import { minimalRecord, record, scope, unknownId } from '../harness/documents.js';
import { as, badId, expectOrder, type Fault, noProof, otherVersion } from '../harness/faults.js';
import { unknownMember } from '../harness/faults.js';
import { bothWays } from '../harness/fixture.js';

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

  bothWays('ORD-1, LRN-37, MEM-28, MEM-25, MEM-26, MEM-27, MEM-32 command', async (t) => {
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

  const place = (name: string, expected: string, members: Record<string, unknown>): Fault => [
    name,
    expected,
    ({ parameters }) => Object.assign(parameters!, members),
  ];

  bothWays('MEM-60, HIS-7 revisions', async (t) => {
    const agent = await t.agent();
    await expectOrder(t, {
      operation: 'listMemoryRevisions',
      valid: {
        token: agent.token,
        id: await agent.created(scope),
        parameters: { contract_version: 1, ...scope },
      },
      faults: [
        noProof,
        place('query', refused.invalid, { visibility: 'public' }),
        otherVersion,
        place('scope text', refused.invalid, { agent_id: ' ' }),
        as(t.admin),
        place('grant', refused.forbidden, { agent_id: 'z' }),
        badId,
        place('limit', refused.invalid, { limit: 101 }),
        place('cursor', refused.invalid, { cursor: 'x' }),
        ['absent', refused.noRecord, (draft) => (draft.id = unknownId)],
      ],
    });
  });

  bothWays('LRN-37 read', async (t) => {
    const agent = await t.agent();
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

  bothWays('LRN-37, MEM-71 query', async (t) => {
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
        filter('limit below zero', { limit: -1 }),
        filter('scan limit below zero', { scan_limit: -1 }),
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

  bothWays('search', async (t) => {
    const agent = await t.agent();
    const member = (name: string, members: Record<string, unknown>, expected?: string): Fault => [
      name,
      expected ?? refused.invalid,
      ({ document }) => Object.assign(document!, members),
    ];
    await expectOrder(t, {
      operation: 'searchMemory',
      valid: {
        token: agent.token,
        document: { contract_version: 1, scopes: [{ ...scope }] },
      },
      faults: [
        noProof,
        unknownMember,
        member('filter shape', { filter: { tags: [] } }),
        member('limit below zero', { limit: -1 }),
        otherVersion,
        member('scope text', { scopes: [{ ...scope, agent_id: ' ' }] }),
        as(t.admin),
        member('grant', { scopes: [{ ...scope, agent_id: 'z' }] }, refused.forbidden),
        member('limit', { limit: 0 }),
        member('cursor', { cursor: 'x' }),
      ],
    });
  });

  bothWays('attached embeddings', async (t) => {
    const agent = await t.agent();
    const first = (name: string, members: Record<string, unknown>): Fault => [
      name,
      refused.invalid,
      ({ document }) => Object.assign((document!['embeddings'] as object[])[0]!, members),
    ];
    await expectOrder(t, {
      operation: 'attachEmbeddings',
      valid: {
        token: agent.token,
        document: {
          contract_version: 1,
          scope: { ...scope },
          embeddings: [{ record_id: unknownId, revision: 1, values: [1] }],
        },
      },
      faults: [
        noProof,
        unknownMember,
        first('revision', { revision: 0 }),
        otherVersion,
        scopeText,
        as(t.admin),
        grant,
        first('no values', { values: [] }),
      ],
    });
  });
});
