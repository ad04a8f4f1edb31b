/** What the operations on tools take and answer (docs/contract/tools.md). */
import { describe, expect, test } from 'vitest';
import { type OperationName, operations } from '@agentkeep/core';
import { contractDocument } from '@agentkeep/server';
import { outcome, refused, result } from '../harness/answer.js';
import { testCase } from '../harness/fixture.js';
import { profile, request, toolParty, workshop } from './tool-fixture.js';

/** The errors that an operation states beside those of every one. */
function statedErrors(name: OperationName): string[] {
  const others = [
    ...['unauthorized', 'internal_error', 'storage_inconsistency'],
    ...['request_too_large', 'service_busy', 'quota_exceeded', 'erasure_in_progress'],
  ];
  const codes: readonly string[] = operations[name].errors;
  return codes.filter((code) => !others.includes(code)).toSorted();
}

const BOTH = ['invalid_request', 'unsupported_contract_version'];

describe('the contract document', () => {
  test('TOOL-9 names the inner schemas', () => {
    const named = Object.keys(contractDocument.components.schemas);
    const wanted = [
      ...['ToolActor', 'ToolArtifactProposal', 'ToolArtifact', 'ToolExecutorProfile'],
      ...['ToolExecutor', 'ToolDevelopmentRequest', 'ToolDevelopmentReceipt', 'ToolDevelopment'],
      ...['ToolDevelopmentReport', 'ToolDevelopmentAction', 'ToolDevelopmentCommand'],
      'ToolDevelopmentEvent',
    ];
    expect(named).toEqual(expect.arrayContaining(wanted));
  });

  test.each<[OperationName, readonly string[]]>([
    ['registerToolExecutor', [...BOTH, 'forbidden', 'idempotency_conflict']],
    ['readToolExecutor', ['invalid_request', 'forbidden', 'record_not_found']],
    ['registerToolArtifact', [...BOTH, 'forbidden', 'record_not_found', 'idempotency_conflict']],
    ['requestToolDevelopment', [...BOTH, 'forbidden', 'record_not_found', 'idempotency_conflict']],
    ['readToolArtifact', [...BOTH, 'forbidden', 'record_not_found']],
    ['readToolDevelopment', [...BOTH, 'forbidden', 'record_not_found']],
    ['readToolDevelopmentEvent', [...BOTH, 'forbidden', 'record_not_found']],
    [
      'recordToolDevelopmentEvent',
      [...BOTH, 'forbidden', 'record_not_found', 'idempotency_conflict', 'revision_conflict'],
    ],
    // EXP-47
    ['registerExperience', [...BOTH, 'forbidden', 'record_not_found', 'idempotency_conflict']],
    ['readExperienceHistory', [...BOTH, 'forbidden', 'record_not_found', 'idempotency_conflict']],
    ['readExperience', [...BOTH, 'forbidden', 'record_not_found']],
    ['readExperienceEvent', [...BOTH, 'forbidden', 'record_not_found']],
    [
      'recordExperienceEvent',
      [...BOTH, 'forbidden', 'record_not_found', 'idempotency_conflict', 'revision_conflict'],
    ],
  ])('TOOL-79 %s answers the errors of its row', (name, expected) => {
    expect(statedErrors(name)).toEqual(expected.toSorted());
  });
});

describe('developments', () => {
  testCase('TOOL-27, TOOL-28, TOOL-30 ids and reasons are bounded texts', async (t) => {
    const { developer } = await workshop(t);
    result(await developer.request());
    const long = 'x'.repeat(513);
    const cancel = (reason: unknown) =>
      developer.command(['e1', 1], { type: 'request_cancellation', reason });
    for (const answer of [
      await developer.read(long),
      await developer.read(' '),
      await developer.cancel([long, 1]),
      await developer.cancel(['e1', 1], { request_id: long }),
      await developer.cancel(['e1', 1.5]),
      await developer.cancel(['e1', '1']),
      await developer.cancel(['e1', 1], { stray: 1 }),
      await cancel(''),
      await cancel('x'.repeat(2_049)),
    ]) {
      expect(outcome(answer)).toBe(refused.invalid);
    }
    expect(outcome(await developer.read('absent'))).toBe(refused.noRecord);
    expect(outcome(await cancel('x'.repeat(2_048)))).toBe('200');
  });

  testCase('TOOL-29 an event id is unique within its request', async (t) => {
    const shop = await workshop(t);
    const { developer } = shop;
    for (const id of ['r1', 'r2']) {
      result(await developer.request({ ...request, id }));
      result(await developer.cancel(['e1', 1], { request_id: id }));
    }
    const other = { type: 'request_cancellation', reason: 'another' };
    expect(outcome(await developer.command(['e1', 2], other))).toBe(refused.otherCommand);
  });

  testCase('TOOL-44 a wrong revision conflicts, and 0 is one', async (t) => {
    const { developer } = await workshop(t);
    result(await developer.request());
    for (const revision of [0, 2, 7]) {
      expect(outcome(await developer.cancel(['e1', revision]))).toBe(refused.stale);
    }
    expect(result(await developer.read()).development.revision).toBe(1);
  });

  testCase('TOOL-26, TOOL-65 a failure is terminal, and so are the others', async (t) => {
    const shop = await workshop(t);
    const { developer } = shop;
    const ends = [
      ['r1', 'failed', 'worker_reported_failure'],
      ['r2', 'succeeded', undefined],
      ['r3', 'cancelled', 'worker_confirmed_cancellation'],
    ] as const;
    for (const [request_id, ended, reason] of ends) {
      result(await developer.request({ ...request, id: request_id }));
      const report = (target: readonly [string, number]) =>
        shop.worker.command(
          target,
          {
            type: 'report',
            report: shop.reportOf({ outcome: ended, ...artifactOf(ended, request_id) }),
          },
          { request_id },
        );
      let revision = 1;
      if (ended === 'cancelled') {
        result(await developer.cancel(['c', revision], { request_id }));
        revision += 1;
      }
      result(await report(['e', revision]));
      const { development } = result(await developer.read(request_id));
      expect(development.state).toBe(ended);
      if (reason !== undefined) expect(development.reason).toBe(reason);
      for (const late of [
        await developer.cancel(['late', revision + 1], { request_id }),
        await report(['later', revision + 1]),
      ]) {
        expect(outcome(late)).toBe(refused.otherCommand);
      }
    }
  });
});

/** An artifact of a report is made for the request that it names. */
function artifactOf(ended: string, id: string): object {
  if (ended !== 'succeeded') return { artifact: null };
  return {
    artifact: {
      id: `tool of ${id}`,
      source: 'export const run = () => 1;',
      dependency_lock: '',
      runtime_image_digest: profile.runtime_image_digest,
      entrypoint: 'run',
      input_schema: true,
      output_schema: true,
      source_refs: [`development:${id}`],
    },
  };
}

describe('executors', () => {
  testCase('TOOL-36 the subject of a profile need not exist', async (t) => {
    const registrar = await toolParty(t, 'registrar', ['tool_admin']);
    const unknown = { ...profile, id: 'w2', subject_id: 'nobody-yet' };
    const { executor } = result(await registrar.registerExecutor(unknown));
    expect(Object.keys(executor.profile).toSorted()).toEqual(Object.keys(profile).toSorted());
    for (const stray of ['address', 'url', 'password']) {
      const answer = await registrar.registerExecutor({ ...unknown, id: 'w3', [stray]: 'x' });
      expect(outcome(answer)).toBe(refused.invalid);
    }
  });

  testCase('TOOL-72, TOOL-73 rights come before bounds, and these before a replay', async (t) => {
    const shop = await workshop(t);
    const { developer, registrar } = shop;
    const bad = { ...profile, max_cost_units: 0 };
    expect(outcome(await developer.registerExecutor(bad))).toBe(refused.forbidden);
    expect(outcome(await registrar.registerExecutor(bad))).toBe(refused.invalid);
    const changed = { ...profile, max_cost_units: 1 };
    expect(outcome(await registrar.registerExecutor(changed))).toBe(refused.otherCommand);
    const plain = await t.agent({ subject_id: 'plain', capabilities: ['memory_read'] });
    const read = (id: string) => plain.call('readToolExecutor', { id });
    const long = 'x'.repeat(513);
    expect([outcome(await read(long)), outcome(await read('absent'))]).toEqual([
      refused.forbidden,
      refused.forbidden,
    ]);
    expect(outcome(await registrar.readExecutor(long))).toBe(refused.invalid);
    expect(outcome(await registrar.readExecutor('absent'))).toBe(refused.noRecord);
  });
});
