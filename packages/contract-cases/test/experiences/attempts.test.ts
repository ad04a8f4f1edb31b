/** Attempts and their observations (docs/contract/experiences.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { missionScope, scope, sharedScope, ungranted } from '../harness/documents.js';
import { attempt, attempted, ExperienceParty, experienceParty } from './experience-fixture.js';
import { observatory, registerContext, SHA } from './experience-fixture.js';
import { testCase } from '../harness/fixture.js';

const HEX64: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);

describe('registering an attempt', () => {
  testCase('EXP-7, EXP-8, EXP-10, EXP-24 returns a receipt and starts at revision 1', async (t) => {
    const { writer, contextDigest } = await observatory(t);
    const { receipt } = result(await writer.register());
    expect(receipt).toEqual({
      schema_version: 1,
      tenant: 'acme',
      namespace: expect.stringMatching(/./),
      request: { ...attempt, parent: null },
      context_digest: contextDigest,
      parent_event_digest: null,
      actor: { subject_id: 'writer', credential_id: writer.caller.id },
      recorded_at_millis: t.clock.now(),
      receipt_digest: HEX64,
    });
    expect(result(await writer.read()).experience).toEqual({
      receipt,
      revision: 1,
      outcome: null,
      last_event_id: null,
      reported_cost_units: null,
      reported_latency_ms: null,
      observed_cost_units: null,
      observed_latency_ms: null,
    });
  });

  testCase('EXP-C55 the same attempt of another subject conflicts', async (t) => {
    const { writer } = await observatory(t);
    const first = await writer.register();
    const other = await experienceParty(t, 'other', ['experience_write']);
    expect(outcome(await other.register())).toBe(refused.otherCommand);
    const second = await experienceParty(t, 'writer', ['experience_write']);
    t.clock.advance(5);
    for (const party of [writer, second]) {
      expect(await party.register({ ...attempt, parent: null })).toEqual(first);
    }
    const { secret } = result(await t.admin.rotate(writer.caller.id, 1));
    expect(outcome(await writer.register())).toBe(refused.unauthorized);
    const rotated = new ExperienceParty(writer.caller.with(secret));
    expect(await rotated.register()).toEqual(first);
  });

  testCase('LRN-25, LRN-26 every member is part of identity and digest', async (t) => {
    const at = await attempted(t);
    await registerContext(t, 'ctx-2');
    result(await at.writer.register({ ...attempt, id: 'p1' }));
    result(await at.reporter.record(at.command('e1', 1), sharedScope, 'p1'));
    result(await at.reporter.record(at.command('e2', 2), sharedScope, 'p1'));
    const others = {
      context_id: 'ctx-2',
      reporter_subject_id: 'other',
      accounting_unit: 'credit-v2',
      input: { reference: 'in:2', sha256: SHA },
      sha: { input: { reference: 'in:1', sha256: 'cd'.repeat(32) } },
      parent: { attempt_id: 'p1', event_id: 'e1' },
      'other event': { parent: { attempt_id: 'p1', event_id: 'e2' } },
    };
    const digests = new Set([at.receipt.receipt_digest]);
    for (const [name, value] of Object.entries(others)) {
      const members = name in attempt || name === 'parent' ? { [name]: value } : (value as object);
      const changed = { ...attempt, ...members };
      expect(outcome(await at.writer.register(changed)), name).toBe(refused.otherCommand);
      const made = await at.writer.register({ ...changed, id: `a-${name}` });
      digests.add(result(made).receipt.receipt_digest);
    }
    const own = { ...attempt, reporter_subject_id: 'writer' };
    digests.add(result(await at.writer.register(own, missionScope)).receipt.receipt_digest);
    expect(digests.size).toBe(9);
  });

  testCase('EXP-C52 the reporter of a private attempt must be its writer', async (t) => {
    const { writer } = await observatory(t);
    expect(outcome(await writer.register(attempt, scope))).toBe(refused.invalid);
    expect(outcome(await writer.register(attempt, ungranted))).toBe(refused.forbidden);
    const own = { ...attempt, reporter_subject_id: 'writer' };
    expect(outcome(await writer.register(own, scope))).toBe('200');
    expect(outcome(await writer.register(attempt, scope))).toBe(refused.invalid);
    const other = await experienceParty(t, 'other', ['experience_read', 'experience_write']);
    expect(outcome(await other.read('a1', scope))).toBe(refused.noRecord);
    const theirs = { ...attempt, reporter_subject_id: 'other' };
    expect(outcome(await other.register(theirs, scope))).toBe('200');
  });

  testCase(
    'EXP-C53, EXP-9 an unknown context is 404, including one of another tenant',
    async (t) => {
      const { writer } = await observatory(t);
      const unknown = { ...attempt, context_id: 'nowhere' };
      expect(outcome(await writer.register(unknown))).toBe(refused.noRecord);
      expect(outcome(await writer.read())).toBe(refused.noRecord);
      const foreign = await t.foreignAdmin();
      const other = new ExperienceParty(
        await foreign.appoint({
          subject_id: 'writer',
          capabilities: ['experience_write'],
          grants: [sharedScope],
        }),
      );
      expect(outcome(await other.register(unknown))).toBe(refused.noRecord);
    },
  );

  testCase(
    'EXP-21, EXP-22 a parent is an event of the namespace, pinned by its digest',
    async (t) => {
      const at = await attempted(t);
      const parent = { attempt_id: 'a1', event_id: 'e1' };
      const child = { ...attempt, id: 'a2', parent };
      expect(outcome(await at.writer.register(child))).toBe(refused.noRecord);
      const event = await at.observed('e1', 1);
      for (const other of [
        { attempt_id: 'a1', event_id: 'e2' },
        { ...parent, attempt_id: 'a0' },
      ]) {
        const answer = await at.writer.register({ ...child, parent: other });
        expect(outcome(answer)).toBe(refused.noRecord);
      }
      const own = { ...child, reporter_subject_id: 'writer' };
      expect(outcome(await at.writer.register(own, missionScope))).toBe(refused.noRecord);
      const first = await at.writer.register(child);
      expect(result(first).receipt.parent_event_digest).toBe(event.event_digest);
      await at.observed('e2', 2, { outcome: 'succeeded' });
      expect(await at.writer.register(child)).toEqual(first);
      const grandchild = { ...child, id: 'a3' };
      const later = result(await at.writer.register(grandchild)).receipt;
      expect(later.parent_event_digest).toBe(event.event_digest);
    },
  );

  testCase('EXP-C54 has limits', async (t) => {
    const { writer } = await observatory(t);
    const input = (members: object) => ({ input: { ...attempt.input, ...members } });
    const parent = { attempt_id: 'a0', event_id: 'e1' };
    const bad = [
      { id: ' ' },
      { id: 'a'.repeat(513) },
      { context_id: '' },
      { accounting_unit: 'é'.repeat(257) },
      { reporter_subject_id: ' ' },
      { reporter_subject_id: 'a\nb' },
      { reporter_subject_id: 'a'.repeat(257) },
      input({ sha256: SHA.toUpperCase() }),
      input({ sha256: SHA.slice(1) }),
      input({ sha256: `sha256:${SHA}` }),
      input({ sha256: `${SHA}\n` }),
      input({ reference: '' }),
      input({ reference: 'a'.repeat(2_049) }),
      input({ extra: 1 }),
      { parent: { ...parent, attempt_id: 'a1' } },
      { parent: { ...parent, attempt_id: ' ' } },
      { parent: { ...parent, event_id: 'a'.repeat(513) } },
      { parent: { attempt_id: 'a0' } },
      { input: null },
      { tenant_id: 'acme' },
      { context_digest: SHA },
    ];
    for (const members of bad) {
      const answer = await writer.register({ ...attempt, ...members });
      expect(outcome(answer), JSON.stringify(members).slice(0, 80)).toBe(refused.invalid);
    }
    const widest = {
      ...attempt,
      id: `${'\u0000'.repeat(511)}a`,
      reporter_subject_id: 'é'.repeat(128),
    };
    expect(outcome(await writer.register(widest))).toBe('200');
    const { receipt } = result(await writer.read(widest.id)).experience;
    expect(receipt.request).toMatchObject(widest);
  });
});

describe('observing an attempt', () => {
  testCase('EXP-11, EXP-13, EXP-14, EXP-32 returns the event and the state after it', async (t) => {
    const at = await attempted(t);
    t.clock.advance(5);
    const event = await at.observed('e1', 1, { outcome: 'succeeded', cost_units: 0 });
    expect(event).toEqual({
      schema_version: 1,
      command: at.command('e1', 1, { outcome: 'succeeded', cost_units: 0 }),
      actor: { subject_id: 'obs', credential_id: at.reporter.caller.id },
      record: {
        receipt: at.receipt,
        revision: 2,
        outcome: 'succeeded',
        last_event_id: 'e1',
        reported_cost_units: 0,
        reported_latency_ms: null,
        observed_cost_units: 0,
        observed_latency_ms: null,
      },
      recorded_at_millis: t.clock.now(),
      event_digest: HEX64,
    });
    expect(result(await at.writer.read()).experience).toEqual(event.record);
    expect(result(await at.writer.event('e1')).event).toEqual(event);
    for (const [id, place, of] of [
      ['e2', sharedScope, 'a1'],
      ['e1', sharedScope, 'a2'],
      ['e1', missionScope, 'a1'],
    ] as const) {
      expect(outcome(await at.writer.event(id, place, of))).toBe(refused.noRecord);
    }
    expect(outcome(await at.writer.event(' '))).toBe(refused.invalid);
  });

  testCase(
    'EXP-C56, EXP-C63 only the reporter observes, and only with the capability',
    async (t) => {
      const at = await attempted(t);
      const writing = await experienceParty(t, 'writer', ['experience_write', 'experience_report']);
      expect(outcome(await writing.record(at.command('e1', 1)))).toBe(refused.forbidden);
      const without = await experienceParty(t, 'obs', ['experience_write', 'experience_read']);
      expect(outcome(await without.record(at.command('e1', 1)))).toBe(refused.forbidden);
      const elsewhere = await experienceParty(t, 'writer', [
        'memory_read',
        'memory_write',
        'tool_read',
        'tool_develop',
        'tool_report',
        'tool_admin',
      ]);
      const calls = [
        () => elsewhere.register({ ...attempt, id: 'a2' }),
        () => elsewhere.read(),
        () => elsewhere.record(at.command('e1', 1)),
        () => elsewhere.event('e1'),
        () => elsewhere.history({ limit: 1 }),
      ];
      for (const call of calls) expect(outcome(await call())).toBe(refused.forbidden);
      expect(result(await at.writer.read()).experience.revision).toBe(1);
    },
  );

  testCase(
    'EXP-C57, EXP-C58 another context or a change of a final outcome conflicts',
    async (t) => {
      const at = await attempted(t);
      expect(outcome(await at.observe('e1', 1, { context_digest: SHA }))).toBe(
        refused.otherCommand,
      );
      await at.observed('e1', 1);
      await at.observed('e2', 2, { outcome: 'succeeded' });
      for (const next of ['failed', 'cancelled', 'unknown']) {
        expect(outcome(await at.observe('e3', 3, { outcome: next }))).toBe(refused.otherCommand);
      }
      const late = await at.observed('e3', 3, { outcome: 'succeeded', cost_units: 7 });
      expect(late.record).toMatchObject({
        revision: 4,
        outcome: 'succeeded',
        observed_cost_units: 7,
      });
    },
  );

  testCase('EXP-33 each outcome may follow none and unknown', async (t) => {
    const at = await observatory(t);
    const outcomes = ['unknown', 'succeeded', 'failed', 'cancelled'] as const;
    for (const first of outcomes) {
      for (const second of outcomes) {
        const id = `${first} ${second}`;
        result(await at.writer.register({ ...attempt, id }));
        const observe = (eventId: string, revision: number, next: string) =>
          at.reporter.record(at.command(eventId, revision, { outcome: next }), sharedScope, id);
        expect(outcome(await observe('e1', 1, first)), id).toBe('200');
        const may = first === 'unknown' || first === second;
        expect(outcome(await observe('e2', 2, second)), id).toBe(
          may ? '200' : refused.otherCommand,
        );
      }
    }
  });

  testCase(
    'EXP-30, EXP-31 totals only grow, and an unknown one keeps the observed total',
    async (t) => {
      const at = await attempted(t);
      await at.observed('e1', 1, { cost_units: 9, latency_ms: 0 });
      for (const members of [{ cost_units: 8 }, { cost_units: 8, latency_ms: 5 }]) {
        expect(outcome(await at.observe('e2', 2, members))).toBe(refused.invalid);
      }
      const { record } = await at.observed('e2', 2);
      expect(record).toMatchObject({
        reported_cost_units: null,
        reported_latency_ms: null,
        observed_cost_units: 9,
        observed_latency_ms: 0,
      });
      expect(outcome(await at.observe('e3', 3, { cost_units: 8 }))).toBe(refused.invalid);
      const last = await at.observed('e3', 3, { cost_units: 9, latency_ms: 1 });
      expect(last.record).toMatchObject({ reported_cost_units: 9, observed_latency_ms: 1 });
    },
  );

  testCase('EXP-C60, LRN-29 the same observation returns the original', async (t) => {
    const at = await attempted(t);
    const first = await at.observe('e1', 1);
    await at.observed('e2', 2, { outcome: 'failed' });
    t.clock.advance(5);
    expect(await at.observe('e1', 1)).toEqual(first);
    expect(result(first).event.record.revision).toBe(2);
    for (const [eventId, revision, members] of [
      ['e1', 1, { outcome: 'failed' }],
      ['e1', 3, {}],
      ['e2', 2, {}],
      ['e1', 1, { evidence: { reference: 'log:2', sha256: SHA } }],
    ] as const) {
      expect(outcome(await at.observe(eventId, revision, members))).toBe(refused.otherCommand);
    }
    const { secret } = result(await t.admin.rotate(at.reporter.caller.id, 1));
    const rotated = new ExperienceParty(at.reporter.caller.with(secret));
    expect(await rotated.record(at.command('e1', 1))).toEqual(first);
    const second = await experienceParty(t, 'obs', ['experience_report']);
    expect(await second.record(at.command('e1', 1))).toEqual(first);
  });

  testCase('EXP-C59, EXP-32, LRN-33 of 8 different events at one revision one wins', async (t) => {
    const at = await attempted(t);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => at.observe(`e${index}`, 1)),
    );
    expect(answers.map(outcome).sort()).toEqual(['200', ...Array(7).fill(refused.stale)]);
    for (const [index, { status }] of answers.entries()) {
      expect((await at.writer.event(`e${index}`)).status).toBe(status === 200 ? 200 : 404);
    }
    expect(result(await at.writer.read()).experience.revision).toBe(2);
  });

  testCase('EXP-12 has limits', async (t) => {
    const at = await attempted(t);
    const bad = [
      { event_id: ' ' },
      { event_id: 'a'.repeat(513) },
      ...[0, -1, 2 ** 53 - 1, 2 ** 53, 1.5, '1', null].map((expected_revision) => ({
        expected_revision,
      })),
      { context_digest: at.contextDigest.toUpperCase() },
      { context_digest: at.contextDigest.slice(1) },
      { outcome: 'done' },
      { outcome: null },
      { evidence: null },
      { evidence: { reference: ' ', sha256: SHA } },
      { evidence: { reference: 'log', sha256: 'x' } },
      { cost_units: -1 },
      { cost_units: 0.5 },
      { latency_ms: 2 ** 53 },
      { actor: {} },
    ];
    for (const members of bad) {
      const answer = await at.observe('e1', 1, members);
      expect(outcome(answer), JSON.stringify(members).slice(0, 80)).toBe(refused.invalid);
    }
    expect(outcome(await at.observe('e1', 2 ** 53 - 2))).toBe(refused.stale);
    const absent = at.reporter.record(at.command('e1', 1), sharedScope, 'a2');
    expect(outcome(await absent)).toBe(refused.noRecord);
  });

  testCase('every member of an observation is part of its digest', async (t) => {
    const at = await observatory(t);
    const variants = [
      {},
      { event_id: 'e2' },
      { outcome: 'failed' },
      { evidence: { reference: 'log:2', sha256: SHA } },
      { evidence: { reference: 'log:1', sha256: 'cd'.repeat(32) } },
      { cost_units: 0 },
      { latency_ms: 0 },
    ];
    const digests = new Set<string>();
    for (const [index, members] of variants.entries()) {
      const id = `a-${index}`;
      result(await at.writer.register({ ...attempt, id }));
      const answer = at.reporter.record(at.command('e1', 1, members), sharedScope, id);
      digests.add(result(await answer).event.event_digest);
    }
    expect(digests.size).toBe(variants.length);
  });
});
