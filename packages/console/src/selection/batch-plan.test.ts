/** Plans of batches. */
import type { MemoryRecord, ScopeInput } from '@agentkeep/client';
import { expect, test } from 'vitest';
import {
  deletionsOf,
  problemOf,
  recordsIn,
  redactionsOf,
  tagAdditions,
  tagRemovals,
} from './batch-plan.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };

interface Made {
  readonly id: string;
  readonly tags?: readonly string[];
  readonly text?: string;
  readonly sources?: number;
}

function made({ id, tags = [], text = '', sources = 0 }: Made): MemoryRecord {
  const from = Array.from({ length: sources }, (_, at) => ({ record_id: `s${at}`, revision: 1 }));
  const content = { primary: text, secondary: null, context: null, data: null, embedding: null };
  const payload = { content, tags, metadata: {}, ...(sources > 0 ? { derived_from: from } : {}) };
  return { record_id: id, revision: 3, payload } as unknown as MemoryRecord;
}

test('a deletion states the revision that was seen', () => {
  const [step] = deletionsOf([made({ id: 'a' })]);
  expect(step?.change).toEqual({ type: 'delete', record_id: 'a', expected_revision: 3 });
});

test('tags change only the records that need it, and nothing else in them', () => {
  const records = [
    made({ id: 'a', tags: ['x'], text: 'Tea.' }),
    made({ id: 'b', tags: ['y', 'z'] }),
  ];
  const added = tagAdditions(records, ['y', 'z']);
  expect(added.map(({ record }) => record.record_id)).toEqual(['a']);
  const change = added[0]?.change;
  expect(change).toMatchObject({ type: 'update', record_id: 'a', expected_revision: 3 });
  expect(change).toMatchObject({ record: { ...records[0]?.payload, tags: ['x', 'y', 'z'] } });
  const removed = tagRemovals(records, 'z');
  expect(removed.map((step) => step.change)).toMatchObject([{ record: { tags: ['y'] } }]);
});

test('a redaction has a command for each revision', () => {
  const plan = redactionsOf([{ record: made({ id: 'a' }), revisions: [2, 1] }]);
  expect(plan.map(({ change }) => change)).toEqual([
    { type: 'redact', record_id: 'a', revision: 2 },
    { type: 'redact', record_id: 'a', revision: 1 },
  ]);
  expect(recordsIn(plan)).toBe(1);
});

test('says why a plan cannot be one batch', () => {
  const revisions = Array.from({ length: 257 }, (_, at) => at + 1);
  const large = Array.from({ length: 8 }, (_, at) =>
    made({ id: `${at}`, text: 'ö'.repeat(70_000) }),
  );
  const derived = Array.from({ length: 9 }, (_, at) => made({ id: `${at}`, sources: 32 }));
  expect(problemOf([], scope)).toBe('nothing');
  expect(problemOf(redactionsOf([{ record: made({ id: 'a' }), revisions }]), scope)).toBe(
    'tooMany',
  );
  expect(problemOf(tagAdditions(large, ['x']), scope)).toBe('tooLarge');
  expect(problemOf(tagAdditions(derived, ['x']), scope)).toBe('tooManySources');
  expect(problemOf(deletionsOf([...large, ...derived]), scope)).toBeUndefined();
});
