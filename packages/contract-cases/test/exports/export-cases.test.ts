/** Exports and imports of memory (docs/contract/exports.md#xpt-1). */
import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { outcome, result } from '../harness/answer.js';
import { missionScope, recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase, tenant } from '../harness/fixture.js';
import { Learner } from '../learning/learning-fixture.js';
import {
  contentOf,
  countedIn,
  exported,
  exportPage,
  imported,
  importText,
  learned,
  linesOf,
  ofTenant,
  remembered,
} from './export-fixture.js';

const history = { with_history: true };

describe('exports', () => {
  // XPT-9, XPT-10, XPT-11, XPT-12, XPT-15
  testCase('XPT-C1 come back from an empty installation as the same lines', async (t) => {
    const agent = await remembered(t);
    await learned(t);
    const text = await exported(t.admin, ofTenant, history);
    const lines = linesOf(text);
    const kinds = new Set(lines.map(({ line }) => line));
    expect([...kinds].toSorted()).toEqual(
      [
        ...['artifact', 'attempt', 'attempt_event', 'context', 'development', 'development_event'],
        ...['embedding_spaces', 'evaluation', 'executor', 'export', 'manifest', 'policy'],
        ...['procedure', 'procedure_state', 'record', 'revision', 'scope'],
      ].toSorted(),
    );
    const content = contentOf(text).slice(0, -1);
    const bytes = `${content.join('\n')}\n`;
    expect(lines.at(-1)).toMatchObject({
      line: 'manifest',
      bytes: Buffer.byteLength(bytes, 'utf8'),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });

    await using empty = await tenant(t.driver);
    const { refused, stored, problems } = await imported(empty.admin, text);
    expect([refused, stored, problems]).toEqual([0, countedIn(text), []]);
    expect(contentOf(await exported(empty.admin, ofTenant, history))).toEqual(contentOf(text));

    const reader = await empty.agent({ subject_id: 'alice' });
    const named = { parameters: { contract_version: 1, ...scope, name: 'handbook' } };
    expect(result(await reader.call('readNamedRecord', named))).toEqual(
      result(await agent.call('readNamedRecord', named)),
    );
    const judge = await empty.agent({ subject_id: 'judge', capabilities: ['memory_read'] });
    expect(await new Learner(judge).selected()).toBe('c1');
  });

  // XPT-14, XPT-15, XPT-16, XPT-18
  testCase('XPT-C2 change nothing when they are imported again', async (t) => {
    await remembered(t);
    const text = await exported(t.admin, ofTenant, history);
    const count = countedIn(text);
    expect(await imported(t.admin, text)).toEqual({
      ...{ stored: 0, unchanged: count, refused: 0, problems: [] },
    });
    await using empty = await tenant(t.driver);
    const dry = { dry_run: true };
    expect(await imported(empty.admin, text, dry)).toMatchObject({ stored: count, refused: 0 });
    expect(contentOf(await exported(empty.admin))).toHaveLength(1);
    expect(await imported(empty.admin, text)).toMatchObject({ stored: count, unchanged: 0 });
    expect(await imported(empty.admin, text, dry)).toMatchObject({ stored: 0, unchanged: count });
  });

  // XPT-5, XPT-6
  testCase('XPT-C3 show the state of their first page', async (t) => {
    const agent = await t.agent();
    const large = 'x'.repeat(40_000);
    const ids: string[] = [];
    for (let at = 0; at < 40; at += 1) {
      ids.push(await agent.created(scope, recordOf({ primary: `${String(at)} ${large}` })));
    }
    const first = result(await exportPage(t.admin)).page;
    expect(first.next_after).not.toBeNull();
    expect(first.text.endsWith('\n')).toBe(true);
    result(await agent.delete(scope, [ids.at(-1), 1]));
    result(await agent.update(scope, [ids.at(-2), 1], recordOf({ primary: 'changed' })));
    await agent.created(scope, recordOf({ primary: 'later' }));
    const after = { after: first.next_after };
    const second = result(await exportPage(t.admin, ofTenant, after)).page;
    expect(second.next_after).toBeNull();
    const records = linesOf(first.text + second.text).filter(({ line }) => line === 'record');
    expect(records.map(({ record }) => (record as { record_id: string }).record_id)).toEqual(ids);
    expect(second.text).not.toContain('changed');
  });

  // XPT-1, XPT-2, XPT-3, XPT-4
  testCase('XPT-C4 are for administrators, and for agents of their own scope', async (t) => {
    const alice = await remembered(t);
    const bob = await t.agent({ subject_id: 'bob' });
    await bob.created(scope, recordOf({ primary: 'of bob' }));
    const own = { type: 'scope', scope };
    const mine = await exported(alice, own);
    expect(mine).toContain('second');
    expect(mine).not.toContain('of bob');
    expect(await exported(t.admin, { ...own, subject_id: 'bob' })).toContain('of bob');
    const subject = await exported(t.admin, { type: 'subject', subject_id: 'alice' });
    expect(subject).toContain('with a vector');
    expect(subject).not.toContain('a source');
    expect(await exported(t.admin, { type: 'scope', scope: sharedScope })).toContain('a source');
    for (const of of [
      { ...own, subject_id: 'bob' },
      { ...own, subject_id: 'alice' },
      { type: 'scope', scope: sharedScope },
      { type: 'subject', subject_id: 'alice' },
      ofTenant,
    ]) {
      expect(outcome(await exportPage(alice, of))).toBe('403 forbidden');
    }
    expect(outcome(await importText(alice, ''))).toBe('403 forbidden');
    const foreign = await exported(await t.foreignAdmin());
    expect(contentOf(foreign)).toHaveLength(1);
    expect(outcome(await exportPage(t.admin, { type: 'all' }))).toBe('400 invalid_request');
  });

  // XPT-7
  testCase('XPT-C5 can be read again from any page', async (t) => {
    const agent = await t.agent();
    for (let at = 0; at < 80; at += 1) {
      await agent.created(scope, recordOf({ primary: 'x'.repeat(40_000) }));
    }
    const first = result(await exportPage(t.admin)).page;
    const after = { after: first.next_after };
    const second = result(await exportPage(t.admin, ofTenant, after)).page;
    expect(result(await exportPage(t.admin, ofTenant, after)).page).toEqual(second);
    const next = { after: second.next_after };
    const third = result(await exportPage(t.admin, ofTenant, next)).page;
    expect(result(await exportPage(t.admin, ofTenant, after)).page).toEqual(second);
    let last = result(await exportPage(t.admin, ofTenant, next)).page;
    expect(last).toEqual(third);
    while (last.next_after !== null) {
      last = result(await exportPage(t.admin, ofTenant, { after: last.next_after })).page;
    }
    expect(last.text).toContain('"line":"manifest"');
    // Also once it was read to its end, until others need its place.
    expect(result(await exportPage(t.admin, ofTenant, after)).page).toEqual(second);
    const beyond = { after: `${String(next.after)}9` };
    expect(outcome(await exportPage(t.admin, ofTenant, beyond))).toBe('410 export_gone');
    expect(outcome(await exportPage(t.admin, ofTenant, { ...next, ...history }))).toBe(
      '410 export_gone',
    );
    const other = await t.admin.appoint({
      ...{ subject_id: 'ops', capabilities: ['credential_admin'], grants: [] },
    });
    expect(outcome(await exportPage(other, ofTenant, next))).toBe('410 export_gone');
    expect(outcome(await exportPage(t.admin, ofTenant, { after: 'x' }))).toBe('410 export_gone');
  });

  testCase('XPT-C6 are held two at a time for a tenant', async (t) => {
    const agent = await t.agent();
    for (let at = 0; at < 40; at += 1) {
      await agent.created(scope, recordOf({ primary: 'x'.repeat(40_000) }));
    }
    for (let at = 0; at < 9; at += 1)
      result(await exportPage(agent, { type: 'scope', scope: missionScope }));
    result(await exportPage(t.admin));
    result(await exportPage(t.admin));
    // XPT-8
    expect(outcome(await exportPage(t.admin))).toBe('503 service_busy');
    result(await exportPage(await t.foreignAdmin()));
  });

  // XPT-16, XPT-17
  testCase('XPT-C7 name the lines that were not stored', async (t) => {
    const agent = await remembered(t);
    await learned(t);
    const text = await exported(t.admin);
    const other = await t.foreignAdmin();
    const elsewhere = await imported(other, text);
    const reasons = new Set(elsewhere.problems.map(({ reason }) => reason));
    expect([...reasons]).toEqual(['other_tenant']);
    const named = linesOf(text).find(
      ({ record }) => (record as { name?: string } | undefined)?.name,
    );
    const record = named?.['record'] as Record<string, unknown>;
    const taken = { ...named, record: { ...record, record_id: agent.id } };
    const changed = { ...named, record: { ...record, revision: 9 } };
    const procedure = linesOf(text).find(({ line }) => line === 'procedure');
    const unknown = { ...named, namespace: 'A'.repeat(43) };
    const broken = { line: 'record', namespace: 'short' };
    const lines = [taken, changed, unknown, broken, { line: 'spell' }, {}, named];
    const sent = `{"line":\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
    const { problems, unchanged, refused } = await imported(t.admin, sent);
    expect([unchanged, refused]).toEqual([1, 7]);
    expect(problems).toEqual([
      { line: 1, reason: 'invalid' },
      { line: 2, reason: 'name_taken' },
      { line: 3, reason: 'conflict' },
      { line: 4, reason: 'unknown_scope' },
      { line: 5, reason: 'invalid' },
      { line: 6, reason: 'invalid' },
      { line: 7, reason: 'invalid' },
    ]);
    await using empty = await tenant(t.driver);
    const place = linesOf(text).find(
      ({ line, namespace }) => line === 'scope' && namespace === procedure?.['namespace'],
    );
    const alone = `${JSON.stringify(place)}\n${JSON.stringify(procedure)}\n`;
    expect((await imported(empty.admin, alone)).problems).toEqual([
      { line: 2, reason: 'missing_definition' },
    ]);
  });

  // XPT-13, XPT-19, XPT-20, AUD-94, AUD-95
  testCase('XPT-C8 are audited, and lead to changes', async (t) => {
    await remembered(t);
    const text = await exported(t.admin);
    const seen = result(await t.admin.call('queryAudit', { parameters: {} })) as {
      events: { event_type: string; resource: string; metadata?: unknown }[];
    };
    expect(seen.events.find(({ event_type }) => event_type === 'data_exported')).toMatchObject({
      resource: 'export:acme',
      metadata: { of: ofTenant, with_history: false },
    });
    await using empty = await tenant(t.driver);
    const agent = await empty.agent({ subject_id: 'alice' });
    await imported(empty.admin, text);
    const { events } = result(await empty.admin.call('queryAudit', { parameters: {} })) as {
      events: { event_type: string; resource: string; metadata?: unknown }[];
    };
    const count = countedIn(text);
    expect(events.find(({ event_type }) => event_type === 'data_imported')).toMatchObject({
      resource: 'import:acme',
      metadata: { stored: count, unchanged: 0, refused: 0 },
    });
    const feed = { parameters: { contract_version: 1 } };
    const { changes } = result(await agent.call('listMemoryChanges', feed)).page;
    const records = linesOf(text).filter(({ line }) => line === 'record');
    expect(changes.map(({ record_id }) => record_id).toSorted()).toEqual(
      records.map(({ record }) => (record as { record_id: string }).record_id).toSorted(),
    );
    expect(changes.every(({ action }) => action === 'created')).toBe(true);
    const named = { parameters: { contract_version: 1, ...scope, name: 'handbook' } };
    expect(result(await agent.call('readNamedRecord', named)).record.revision).toBe(2);
  });
});
