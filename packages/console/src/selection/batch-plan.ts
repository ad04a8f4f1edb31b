/** What one batch is going to do with the selected records. */
import type { MemoryChangeInput, MemoryRecord, ScopeInput } from '@agentkeep/client';

/** Bounds of a batch; docs/contract/memory.md and lineage.md state them. */
const COMMANDS_MAX = 256;
const BYTES_MAX = 1_048_576;
const SOURCES_MAX = 256;

/** Bytes of the document around the commands. */
const AROUND_BYTES = 2_048;

/** A command of a batch, and the record that it changes. */
export interface BatchStep {
  readonly record: MemoryRecord;
  readonly change: MemoryChangeInput;
}

/** The commands of a batch. Selected records that need none are in none. */
export type BatchPlan = readonly BatchStep[];

/** Why a plan can't be one batch. */
export type PlanProblem = 'nothing' | 'tooMany' | 'tooLarge' | 'tooManySources';

/** A record with its earlier revisions that have content. */
export interface EarlierRevisions {
  readonly record: MemoryRecord;
  readonly revisions: readonly number[];
}

/** Deletes records. */
export function deletionsOf(records: Iterable<MemoryRecord>): BatchPlan {
  return [...records].map((record) => ({
    record,
    change: { type: 'delete', record_id: record.record_id, expected_revision: record.revision },
  }));
}

/** Gives tags to the records that lack them. */
export function tagAdditions(records: Iterable<MemoryRecord>, tags: readonly string[]): BatchPlan {
  return updates(records, (kept) => [...kept, ...tags.filter((tag) => !kept.includes(tag))]);
}

/** Takes a tag from the records that have it. */
export function tagRemovals(records: Iterable<MemoryRecord>, tag: string): BatchPlan {
  return updates(records, (kept) => kept.filter((each) => each !== tag));
}

/** Takes the content of earlier revisions away. */
export function redactionsOf(found: readonly EarlierRevisions[]): BatchPlan {
  return found.flatMap(({ record, revisions }) =>
    revisions.map((revision) => ({
      record,
      change: { type: 'redact', record_id: record.record_id, revision } as const,
    })),
  );
}

/** Says why a plan can't be one batch of a scope; `undefined` if it can. */
export function problemOf(plan: BatchPlan, scope: ScopeInput): PlanProblem | undefined {
  if (plan.length === 0) return 'nothing';
  if (plan.length > COMMANDS_MAX) return 'tooMany';
  if (sum(plan, sourcesIn) > SOURCES_MAX) return 'tooManySources';
  const bytes = sum(plan, ({ change }) => bytesOf({ scope, operation: change }) + 1);
  return bytes + AROUND_BYTES > BYTES_MAX ? 'tooLarge' : undefined;
}

/** Returns how many records a plan changes. */
export function recordsIn(plan: BatchPlan): number {
  return new Set(plan.map(({ record }) => record.record_id)).size;
}

function updates(
  records: Iterable<MemoryRecord>,
  tagsOf: (tags: readonly string[]) => string[],
): BatchPlan {
  return [...records].flatMap((record) => {
    const { payload, record_id, revision: expected_revision } = record;
    const tags = tagsOf(payload.tags);
    if (tags.length === payload.tags.length) return [];
    const change = { record_id, expected_revision, record: { ...payload, tags } };
    return [{ record, change: { type: 'update', ...change } as const }];
  });
}

function sum(plan: BatchPlan, amountOf: (step: BatchStep) => number): number {
  return plan.reduce((total, step) => total + amountOf(step), 0);
}

function sourcesIn({ change }: BatchStep): number {
  return 'record' in change ? (change.record.derived_from?.length ?? 0) : 0;
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
