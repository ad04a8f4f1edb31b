/** Tool developments: who may send which command, and replays (docs/contract/tools.md#tool-22). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { missionScope, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';
import { proposal, request, ToolParty, toolParty, workshop } from './tool-fixture.js';

const repair = { parent_artifact_id: 'p1', repair_evidence_ref: 'log:2' };
const pending = { outcome: 'pending_or_unknown' };

describe('requesting a development', () => {
  testCase('TOOL-23, TOOL-24, TOOL-25 returns a receipt and starts at revision 1', async (t) => {
    const shop = await workshop(t);
    const { developer, executor } = shop;
    const { receipt } = result(await developer.request());
    expect(receipt).toEqual({
      schema_version: 1,
      tenant: 'acme',
      namespace: expect.stringMatching(/./),
      request: { ...request, parent_artifact_id: null, repair_evidence_ref: null },
      request_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      executor_profile_digest: executor.profile_digest,
      actor: { subject_id: 'dev', credential_id: developer.caller.id },
      recorded_at_millis: t.clock.now(),
    });
    expect(await shop.development()).toEqual({
      receipt,
      revision: 1,
      state: 'requested',
      reason: 'request_recorded',
      last_event_id: null,
      artifact_id: null,
      artifact_digest: null,
      cost_units: null,
      latency_ms: null,
      observed_cost_units: null,
      observed_latency_ms: null,
    });
  });

  testCase('TOOL-C39 the same request of another subject conflicts', async (t) => {
    const { developer } = await workshop(t);
    const first = await developer.request();
    const other = await toolParty(t, 'other', ['tool_develop']);
    expect(outcome(await other.request())).toBe(refused.otherCommand);
    const second = await toolParty(t, 'dev', ['tool_develop']);
    t.clock.advance(5);
    for (const party of [developer, second]) {
      expect(await party.request({ ...request, parent_artifact_id: null })).toEqual(first);
    }
  });

  testCase('a receipt is frozen, even after the development has ended', async (t) => {
    const shop = await workshop(t);
    const first = await shop.developer.request();
    result(await shop.report(['e1', 1]));
    expect(await shop.developer.request()).toEqual(first);
    const changed = await shop.developer.request({ ...request, objective: 'Another.' });
    expect(outcome(changed)).toBe(refused.otherCommand);
  });

  testCase('every member is part of the digest', async (t) => {
    const { developer, registrar, executor } = await workshop(t);
    result(await registrar.registerExecutor({ ...executor.profile, id: 'w2' }));
    result(await developer.registerArtifact({ ...proposal, id: 'p1' }));
    result(await developer.registerArtifact({ ...proposal, id: 'p2' }));
    const variants = [
      {},
      { id: 'r2' },
      { executor_id: 'w2' },
      { objective: 'Another.' },
      repair,
      { ...repair, parent_artifact_id: 'p2' },
      { ...repair, repair_evidence_ref: 'log:3' },
    ];
    const digests = new Set<string>();
    for (const [index, members] of variants.entries()) {
      const shared = { ...request, id: `r-${index}`, ...members };
      digests.add(result(await developer.request(shared)).receipt.request_digest);
    }
    digests.add(result(await developer.request(request, missionScope)).receipt.request_digest);
    expect(digests.size).toBe(8);
  });

  testCase('TOOL-C40 an unknown executor or parent is 404', async (t) => {
    const { developer } = await workshop(t);
    const unknown = { ...request, executor_id: 'w2' };
    expect(outcome(await developer.request(unknown))).toBe(refused.noRecord);
    const orphan = { ...request, ...repair };
    expect(outcome(await developer.request(orphan))).toBe(refused.noRecord);
    result(await developer.registerArtifact({ ...proposal, id: 'p1' }, scope));
    expect(outcome(await developer.request(orphan))).toBe(refused.noRecord);
    expect(outcome(await developer.read())).toBe(refused.noRecord);
    expect(outcome(await developer.request(orphan, scope))).toBe('200');
  });

  testCase('has limits', async (t) => {
    const { developer } = await workshop(t);
    const bad = [
      { id: ' ' },
      { id: 'a'.repeat(513) },
      { executor_id: '' },
      { executor_id: 'a'.repeat(60_000) },
      { objective: '\t' },
      { objective: 'a'.repeat(8_193) },
      { parent_artifact_id: 'p1' },
      { repair_evidence_ref: 'log' },
      { ...repair, repair_evidence_ref: 'a'.repeat(2_049) },
      { tenant_id: 'acme' },
      { actor: { subject_id: 'dev' } },
    ];
    for (const members of bad) {
      const answer = await developer.request({ ...request, ...members });
      expect(outcome(answer), Object.keys(members).join()).toBe(refused.invalid);
    }
    const widest = { ...request, id: '\u0000'.repeat(511) + 'a', objective: 'a'.repeat(8_192) };
    expect(outcome(await developer.request(widest))).toBe('200');
    expect(result(await developer.read(widest.id)).development.receipt.request).toMatchObject(
      widest,
    );
  });
});

describe('permissions', () => {
  testCase('TOOL-C41, TOOL-C42 only the subject of the executor reports', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.request());
    const report = { type: 'report', report: shop.reportOf(pending) };
    const other = await toolParty(t, 'other', ['tool_report', 'tool_develop']);
    const requester = await toolParty(t, 'dev', ['tool_report']);
    for (const party of [other, requester, shop.developer]) {
      expect(outcome(await party.command(['e1', 1], report))).toBe(refused.forbidden);
    }
    expect((await shop.development()).revision).toBe(1);
    const second = await toolParty(t, 'worker', ['tool_report']);
    expect(outcome(await second.command(['e1', 1], report))).toBe('200');
  });

  testCase('only the requester asks to cancel', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.request());
    const other = await toolParty(t, 'other', ['tool_develop']);
    const reporting = await toolParty(t, 'dev', ['tool_report']);
    for (const party of [other, shop.worker, reporting]) {
      expect(outcome(await party.cancel(['e1', 1]))).toBe(refused.forbidden);
    }
    expect(outcome(await shop.developer.cancel(['e1', 1]))).toBe('200');
  });

  testCase('TOOL-C51 a private request is absent for its worker', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.request(request, scope));
    const action = { type: 'report', report: shop.reportOf(pending) };
    const answer = await shop.worker.command(['e1', 1], action, { scope });
    expect(outcome(answer)).toBe(refused.noRecord);
    expect(outcome(await shop.worker.read('r1', scope))).toBe(refused.noRecord);
  });

  testCase('an action of no or another type is refused', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.request());
    const both = await toolParty(t, 'dev', ['tool_report', 'tool_develop']);
    for (const action of [
      { type: 'cancel', reason: 'stop' },
      { type: 'request_cancellation' },
      { type: 'request_cancellation', reason: ' ' },
      { type: 'request_cancellation', reason: 'a'.repeat(2_049) },
      { type: 'request_cancellation', reason: 'stop', report: null },
      { type: 'report', reason: 'stop' },
      { reason: 'stop' },
      null,
    ]) {
      const answer = await both.command(['e1', 1], action);
      expect(outcome(answer), JSON.stringify(action)).toBe(refused.invalid);
    }
    expect(outcome(await shop.developer.cancel(['e1', '1']))).toBe(refused.invalid);
    expect(outcome(await shop.developer.cancel(['e1', 1.5]))).toBe(refused.invalid);
    expect(outcome(await shop.developer.cancel([' ', 1]))).toBe(refused.invalid);
    expect(outcome(await shop.developer.cancel(['e1', 0]))).toBe(refused.stale);
    expect(outcome(await shop.developer.cancel(['e1', 2 ** 53 - 1]))).toBe(refused.stale);
  });
});

describe('replaying a command', () => {
  testCase('TOOL-C43 the same command returns the original, a changed one conflicts', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.request());
    const first = await shop.report(['e1', 1], pending);
    result(await shop.report(['e2', 2], { ...pending, cost_units: 9 }));
    t.clock.advance(5);
    expect(await shop.report(['e1', 1], { detail: null, ...pending })).toEqual(first);
    for (const [target, members] of [
      [['e1', 1], { ...pending, cost_units: 6 }],
      [['e1', 3], pending],
      [['e1', 1], { ...pending, evidence_ref: ' ' }],
      [['e2', 1], pending],
    ] as const) {
      expect(outcome(await shop.report(target, members))).toBe(refused.otherCommand);
    }
    expect(outcome(await shop.report(['e3', 1], pending))).toBe(refused.stale);
    expect(outcome(await shop.report(['e3', 2], { evidence_ref: ' ' }))).toBe(refused.stale);
    expect((await shop.development()).revision).toBe(3);
  });

  testCase('a rotated credential of the subject gets the original', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.request());
    const first = await shop.report(['e1', 1]);
    const { secret } = result(await t.admin.rotate(shop.worker.caller.id, 1));
    expect(outcome(await shop.report(['e1', 1]))).toBe(refused.unauthorized);
    const action = { type: 'report', report: shop.reportOf() };
    const rotated = new ToolParty(shop.worker.caller.with(secret));
    expect(await rotated.command(['e1', 1], action)).toEqual(first);
    const second = await toolParty(t, 'worker', ['tool_report']);
    expect(await second.command(['e1', 1], action)).toEqual(first);
  });

  testCase(
    'TOOL-C50 an ended development accepts no new command but replays old ones',
    async (t) => {
      const shop = await workshop(t);
      result(await shop.developer.request());
      const first = await shop.report(['e1', 1], pending);
      result(await shop.report(['e2', 2], { outcome: 'failed' }));
      expect(outcome(await shop.report(['e3', 3]))).toBe(refused.otherCommand);
      expect(outcome(await shop.report(['e3', 3], { evidence_ref: ' ' }))).toBe(
        refused.otherCommand,
      );
      expect(outcome(await shop.report(['e3', 2]))).toBe(refused.stale);
      expect(outcome(await shop.developer.cancel(['e3', 3]))).toBe(refused.otherCommand);
      expect(await shop.report(['e1', 1], pending)).toEqual(first);
    },
  );

  testCase('LRN-33 of 8 different events at one revision one wins', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.request());
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => shop.report([`e${index}`, 1], pending)),
    );
    expect(answers.map(outcome).sort()).toEqual(['200', ...Array(7).fill(refused.stale)]);
    expect((await shop.development()).revision).toBe(2);
    const absent = answers.map(({ status }, index) => [status, `e${index}`] as const);
    for (const [status, id] of absent) {
      expect((await shop.developer.event(id)).status).toBe(status === 200 ? 200 : 404);
    }
  });

  testCase('8 equal events get 8 equal responses', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.request());
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.report(['e1', 1])));
    expect(outcome(answers[0]!)).toBe('200');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('reading an event', () => {
  testCase('TOOL-33, TOOL-34 returns the state after it, whatever follows', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.request());
    const { event } = result(await shop.report(['e1', 1], pending));
    result(await shop.report(['e2', 2]));
    expect(event).toEqual({
      schema_version: 1,
      command: {
        event_id: 'e1',
        expected_revision: 1,
        action: { type: 'report', report: { ...shop.reportOf(pending), detail: null } },
      },
      actor: { subject_id: 'worker', credential_id: shop.worker.caller.id },
      record: expect.objectContaining({ revision: 2, last_event_id: 'e1' }),
      recorded_at_millis: t.clock.now(),
    });
    expect(result(await shop.developer.event('e1')).event).toEqual(event);
    for (const [id, place, of] of [
      ['e3', sharedScope, 'r1'],
      ['e1', sharedScope, 'r2'],
      ['e1', missionScope, 'r1'],
    ] as const) {
      expect(outcome(await shop.developer.event(id, place, of))).toBe(refused.noRecord);
    }
    expect(outcome(await shop.developer.event(' '))).toBe(refused.invalid);
    expect(outcome(await shop.developer.event('e1', sharedScope, ' '))).toBe(refused.invalid);
  });
});

overHttp('LRN-C1, LRN-C2, LRN-C10 refusals of the transport come in order', async (http) => {
  const { registrar, developer } = await workshop(http.fixture);
  const huge = { body: 'x'.repeat(70_000), headers: { 'Content-Type': 'application/json' } };
  for (const path of ['executors', 'artifacts', 'development/requests', 'development/commands']) {
    expect(outcome(await http.send('POST', `/api/v1/tools/${path}`, huge))).toBe(
      refused.unauthorized,
    );
  }
  const as = (party: ToolParty) => ({ Authorization: `Bearer ${party.caller.token}` });
  expect(outcome(await http.post('/api/v1/tools/executors', '{', as(developer)))).toBe(
    refused.forbidden,
  );
  expect(outcome(await http.post('/api/v1/tools/executors', '{', as(registrar)))).toBe(
    refused.invalid,
  );
  const big = await http.post('/api/v1/tools/executors', 'x'.repeat(70_000), as(registrar));
  expect(outcome(big)).toBe(refused.tooLarge);
  const broken = await http.post('/api/v1/tools/artifacts', '{', as(registrar));
  expect(outcome(broken)).toBe(refused.invalid);
});
