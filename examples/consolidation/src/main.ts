/** Writes notes, consolidates them, once into review, and forgets one with what was made of it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consolidate, openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { summarize } from './summarize.js';

const scope: ScopeInput = { project_id: 'shop', agent_id: 'desk', visibility: 'shared' };
const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-consolidation-'));
try {
  await using keep = await openKeep({ dataDir });
  const desk = await agentFor(keep, { tenantId: 'acme', subjectId: 'desk', scopes: [scope] });
  const job = await agentFor(keep, { tenantId: 'acme', subjectId: 'nightly', scopes: [scope] });
  const memory = desk.memory.in(scope);
  const note = (text: string, customer: string) =>
    memory.remember(text, { tags: [`customer/${customer}`], source: 'user' });

  const first = await note('Prefers French.', 'ann');
  await note('Ordered tea.', 'bob');
  console.log('first run:', await consolidate(job, scope, summarize(job.memory.in(scope))));
  await note('Asks for invoices by mail.', 'ann');
  const reviewed = summarize(job.memory.in(scope));
  console.log('second run:', await consolidate(job, scope, reviewed, { into: 'review' }));

  // A person looks at what the job proposes, and agrees.
  const rita = await agentFor(keep, {
    ...{ tenantId: 'acme', subjectId: 'rita', scopes: [scope] },
    capabilities: ['memory_read', 'memory_review'],
  });
  for await (const { id, author } of rita.proposals.list({ scope })) {
    const { digest, page } = await rita.branches.diffPage(id);
    console.log(`${author.subject_id} proposes ${page.items.length} change`);
    await rita.branches.merge(id, { digest });
  }

  const summary = await memory.read({ name: 'summary of customer/ann' });
  console.log('ann:', summary?.payload.content.primary.replaceAll('\n', ' '));

  const target = { recordId: first.record_id, expectedRevision: first.revision };
  const gone = await memory.delete(target, { dependents: 'cascade' });
  for await (const { outcome, revision } of memory.dependents(gone)) {
    console.log(`a summary of revision ${revision} was ${outcome} with its note`);
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
