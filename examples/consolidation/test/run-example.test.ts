/** What the example shows: summaries that grow, each note once, and go with their notes. */
import { consolidate, inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { summarize } from '../src/summarize.js';

const scope: ScopeInput = { project_id: 'shop', agent_id: 'desk', visibility: 'shared' };

test('summaries take each note once, and say what they were derived from', async () => {
  await using keep = await openKeep({ store: inMemoryStore() });
  const job = await agentFor(keep, { tenantId: 'acme', subjectId: 'job', scopes: [scope] });
  const memory = job.memory.in(scope);
  const note = (text: string) => memory.remember(text, { tags: ['customer/ann'], source: 'user' });
  const first = await note('One.');
  expect(await consolidate(job, scope, summarize(memory))).toMatchObject({ written: 1 });
  await note('Two.');
  expect(await consolidate(job, scope, summarize(memory))).toMatchObject({ written: 1 });
  expect(await consolidate(job, scope, summarize(memory))).toMatchObject({ written: 0 });
  const summary = await memory.read({ name: 'summary of customer/ann' });
  expect(summary?.payload.content.primary).toBe('One.\nTwo.');
  expect(summary?.payload).toMatchObject({ source: 'model' });
  expect(summary?.payload.derived_from).toHaveLength(2);
  await note('Three.');
  const proposed = await consolidate(job, scope, summarize(memory), { into: 'review' });
  expect(proposed).toMatchObject({ written: 1 });
  const unreviewed = await memory.read({ name: 'summary of customer/ann' });
  expect(unreviewed?.revision).toBe(summary?.revision);
  const capabilities = ['memory_read', 'memory_review'] as const;
  const of = { tenantId: 'acme', subjectId: 'rita', scopes: [scope] };
  const rita = await agentFor(keep, { ...of, capabilities });
  for await (const { id } of rita.proposals.list()) {
    const { digest } = await rita.branches.diffPage(id);
    await rita.branches.merge(id, { digest });
  }
  const agreed = await memory.read({ name: 'summary of customer/ann' });
  expect(agreed?.payload.content.primary).toBe('One.\nTwo.\nThree.');
  expect(agreed?.merged_by?.subject_id).toBe('rita');
  const target = { recordId: first.record_id, expectedRevision: 1 };
  const gone = await memory.delete(target, { dependents: 'cascade' });
  const outcomes: string[] = [];
  for await (const { outcome } of memory.dependents(gone)) outcomes.push(outcome);
  expect(outcomes.toSorted()).toEqual(['deleted', 'redacted', 'redacted']);
  expect(await memory.read({ name: 'summary of customer/ann' })).toBeUndefined();
});
