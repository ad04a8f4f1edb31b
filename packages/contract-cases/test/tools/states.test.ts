/**
 * How a report changes a development, its totals and its artifact (docs/contract/tools.md#tool-28).
 */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { proposal, request, type Workshop, workshop } from './tool-fixture.js';

const pending = { outcome: 'pending_or_unknown' };

/** Returns a workshop with a started development. */
async function begun(t: Fixture): Promise<Workshop> {
  const shop = await workshop(t);
  result(await shop.developer.request());
  return shop;
}

/** Expects the state in the response to equal the state that a read returns. */
async function reported(shop: Workshop, ...report: Parameters<Workshop['report']>) {
  const { record } = result(await shop.report(...report)).event;
  expect(await shop.development()).toEqual(record);
  return record;
}

describe('a success', () => {
  testCase('TOOL-46 stores the artifact, with the worker as its actor', async (t) => {
    const shop = await begun(t);
    const record = await reported(shop, ['e1', 1]);
    const { artifact } = result(await shop.developer.readArtifact('t1'));
    expect(record).toMatchObject({
      revision: 2,
      state: 'succeeded',
      reason: 'worker_reported_success',
      last_event_id: 'e1',
      artifact_id: 't1',
      artifact_digest: artifact.artifact_digest,
      cost_units: 5,
      latency_ms: 50,
      observed_cost_units: 5,
      observed_latency_ms: 50,
    });
    expect(artifact.actor).toEqual({
      subject_id: 'worker',
      credential_id: shop.worker.caller.id,
    });
  });

  testCase('TOOL-58 totals that equal the budget are within it', async (t) => {
    const shop = await begun(t);
    const record = await reported(shop, ['e1', 1], { cost_units: 100, latency_ms: 60_000 });
    expect(record.state).toBe('succeeded');
  });

  testCase('TOOL-C46 with an unknown total waits, and keeps no artifact', async (t) => {
    const shop = await begun(t);
    for (const [index, members] of [{ cost_units: null }, { latency_ms: null }].entries()) {
      const record = await reported(shop, [`e${index}`, index + 1], members);
      expect(record).toMatchObject({
        state: 'pending_or_unknown',
        reason: 'unknown_consumption',
        artifact_id: null,
        artifact_digest: null,
      });
    }
    expect(outcome(await shop.developer.readArtifact('t1'))).toBe(refused.noRecord);
  });

  testCase('TOOL-C47 over the budget fails, even if the other total is unknown', async (t) => {
    const shop = await workshop(t);
    const totals = [
      { cost_units: 101 },
      { latency_ms: 60_001 },
      { cost_units: null, latency_ms: 60_001 },
      { cost_units: 101, latency_ms: null },
    ];
    for (const [index, members] of totals.entries()) {
      const id = `r-${index}`;
      result(await shop.developer.request({ ...request, id }));
      const artifact = { ...proposal, source_refs: [`development:${id}`] };
      const action = { type: 'report', report: shop.reportOf({ artifact, ...members }) };
      const answer = await shop.worker.command(['e1', 1], action, { request_id: id });
      expect(result(answer).event.record).toMatchObject({
        state: 'failed',
        reason: 'resource_limit_exceeded',
        artifact_id: null,
      });
      expect(outcome(await shop.developer.readArtifact('t1'))).toBe(refused.noRecord);
    }
  });

  testCase(
    'TOOL-C44, TOOL-C45, TOOL-54 that does not match its request changes nothing',
    async (t) => {
      const shop = await begun(t);
      const before = await shop.development();
      const other = (members: object) => ({ artifact: { ...proposal, ...members } });
      const misfits = [
        { executor_profile_digest: 'f'.repeat(64) },
        { executor_profile_digest: 'none' },
        { executor_profile_digest: shop.executor.profile_digest.toUpperCase() },
        other({ runtime_image_digest: `sha256:${'b'.repeat(64)}` }),
        other({ source_refs: ['trace:1'] }),
        other({ source_refs: ['development:r1 ', 'development:R1'] }),
        other({ parent_artifact_id: 't0', repair_evidence_ref: 'log' }),
        { ...other({ source_refs: ['x'] }), cost_units: null },
        { ...other({ source_refs: ['x'] }), cost_units: 101 },
      ];
      for (const members of misfits) {
        const answer = await shop.report(['e1', 1], members);
        expect(outcome(answer), JSON.stringify(members)).toBe(refused.otherCommand);
      }
      expect(await shop.development()).toEqual(before);
      expect(outcome(await shop.developer.readArtifact('t1'))).toBe(refused.noRecord);
      expect(outcome(await shop.developer.event('e1'))).toBe(refused.noRecord);
      expect(outcome(await shop.report(['e1', 1]))).toBe('200');
    },
  );

  testCase('TOOL-50 of a repair names the parent and the evidence of the request', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.registerArtifact({ ...proposal, id: 'p1' }));
    const repair = { parent_artifact_id: 'p1', repair_evidence_ref: 'log:2' };
    result(await shop.developer.request({ ...request, ...repair }));
    expect(outcome(await shop.report(['e1', 1]))).toBe(refused.otherCommand);
    const otherEvidence = { ...proposal, ...repair, repair_evidence_ref: 'log:3' };
    const answer = await shop.report(['e1', 1], { artifact: otherEvidence });
    expect(outcome(answer)).toBe(refused.otherCommand);
    const record = await reported(shop, ['e1', 1], { artifact: { ...proposal, ...repair } });
    expect(record.artifact_id).toBe('t1');
  });

  testCase('TOOL-53 with a used artifact id must have the same content', async (t) => {
    const shop = await begun(t);
    result(await shop.developer.registerArtifact({ ...proposal, entrypoint: 'other' }));
    expect(outcome(await shop.report(['e1', 1]))).toBe(refused.otherCommand);
    expect((await shop.development()).revision).toBe(1);
    const kept = result(await shop.developer.registerArtifact({ ...proposal, id: 't2' })).artifact;
    const record = await reported(shop, ['e1', 1], { artifact: { ...proposal, id: 't2' } });
    expect(record).toMatchObject({ state: 'succeeded', artifact_digest: kept.artifact_digest });
    expect(result(await shop.developer.readArtifact('t2')).artifact).toEqual(kept);
  });
});

describe('the shape of a report', () => {
  testCase('TOOL-31, TOOL-32, TOOL-52 has limits, checked before any comparison', async (t) => {
    const shop = await begun(t);
    const digest = { executor_profile_digest: 'f'.repeat(64) };
    const bad = [
      { evidence_ref: ' ' },
      { evidence_ref: 'a'.repeat(2_049) },
      { evidence_ref: null },
      { detail: '' },
      { detail: 'a'.repeat(8_193) },
      { outcome: 'done' },
      { cost_units: -1 },
      { cost_units: 0.5 },
      { latency_ms: 2 ** 53 },
      { latency_ms: '5' },
      { artifact: null },
      { ...pending, artifact: proposal },
      { outcome: 'failed', artifact: proposal },
      { outcome: 'cancelled', artifact: proposal },
      { artifact: { ...proposal, source: ' ' } },
      { artifact: { ...proposal, source_refs: [] } },
      { artifact: { ...proposal, parent_artifact_id: 't0' } },
      { executor_profile_digest: null },
      { extra: 1 },
    ];
    for (const members of bad) {
      const answer = await shop.report(['e1', 1], { ...digest, ...members });
      expect(outcome(answer), JSON.stringify(members).slice(0, 80)).toBe(refused.invalid);
    }
    const widest = { ...pending, detail: 'a'.repeat(8_192), evidence_ref: 'é'.repeat(1_024) };
    expect(outcome(await shop.report(['e1', 1], widest))).toBe('200');
  });
});

describe('totals', () => {
  testCase(
    'TOOL-C48, TOOL-57 an unknown total is null, and the observed one is kept',
    async (t) => {
      const shop = await begun(t);
      await reported(shop, ['e1', 1], { ...pending, cost_units: 9, latency_ms: 0 });
      for (const members of [{ cost_units: 8 }, { cost_units: 9, latency_ms: 0, detail: '' }]) {
        const answer = await shop.report(['e2', 2], { ...pending, ...members });
        expect(outcome(answer)).toBe(refused.invalid);
      }
      const unknown = await reported(shop, ['e2', 2], {
        ...pending,
        cost_units: null,
        latency_ms: null,
      });
      expect(unknown).toMatchObject({
        cost_units: null,
        latency_ms: null,
        observed_cost_units: 9,
        observed_latency_ms: 0,
      });
      expect(outcome(await shop.report(['e3', 3], { cost_units: 8 }))).toBe(refused.invalid);
      const cancelling = result(await shop.developer.cancel(['e3', 3])).event.record;
      expect(cancelling).toMatchObject({ cost_units: null, observed_cost_units: 9 });
      const last = await reported(shop, ['e4', 4], { cost_units: 9, latency_ms: 1 });
      expect(last).toMatchObject({ state: 'succeeded', cost_units: 9, observed_latency_ms: 1 });
    },
  );
});

describe('a cancellation', () => {
  testCase(
    'TOOL-C49, TOOL-60, TOOL-63, TOOL-70 waits for the worker, and a success can still win',
    async (t) => {
      const shop = await begun(t);
      for (const [index, id] of ['c1', 'c2'].entries()) {
        const { record } = result(await shop.developer.cancel([id, index + 1])).event;
        expect(record).toMatchObject({
          revision: index + 2,
          state: 'cancellation_requested',
          reason: 'cancellation_requested',
          last_event_id: id,
        });
      }
      expect(await reported(shop, ['e1', 3], pending)).toMatchObject({
        state: 'cancellation_requested',
        reason: 'worker_outcome_unknown',
      });
      expect(await reported(shop, ['e2', 4], { cost_units: null })).toMatchObject({
        state: 'cancellation_requested',
        reason: 'unknown_consumption',
      });
      expect((await reported(shop, ['e3', 5])).state).toBe('succeeded');
    },
  );

  testCase('TOOL-66, TOOL-67, TOOL-68 is confirmed by the worker after a request', async (t) => {
    const shop = await begun(t);
    const cancelled = { outcome: 'cancelled' };
    expect(outcome(await shop.report(['e1', 1], cancelled))).toBe(refused.otherCommand);
    expect(await reported(shop, ['e1', 1], pending)).toMatchObject({
      state: 'pending_or_unknown',
      reason: 'worker_outcome_unknown',
    });
    expect(outcome(await shop.report(['e2', 2], cancelled))).toBe(refused.otherCommand);
    result(await shop.developer.cancel(['c1', 2]));
    expect(await reported(shop, ['e2', 3], cancelled)).toMatchObject({
      state: 'cancelled',
      reason: 'worker_confirmed_cancellation',
    });
  });
});
