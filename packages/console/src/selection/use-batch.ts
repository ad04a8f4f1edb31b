/** A hook that executes a plan as one batch, and finds out why one was refused. */
import { AgentkeepError, type BatchReceipt, type MemoryRecord } from '@agentkeep/client';
import { useRef, useState } from 'preact/hooks';
import { memoryOf } from '../scopes/scope-agent.js';
import type { ScopedMemory } from '../scopes/scoped-memory.js';
import type { ShownScope } from '../scopes/scope-query.js';
import { type Caller, may } from '../session/caller.js';
import { isRefusal } from '../session/refusals.js';
import { type Action, useAction } from '../session/use-loaded.js';
import type { BatchPlan, BatchStep } from './batch-plan.js';

/** The record because of which a batch was refused. Nothing was done then. */
export interface BatchConflict {
  /** `source`: something that it was derived from is not there any more. */
  readonly kind: 'changed' | 'gone' | 'source';
  readonly seen: MemoryRecord;
  /** How it is now; `undefined` if it is not there. */
  readonly now: MemoryRecord | undefined;
}

/** A batch that was executed. */
export interface ExecutedBatch {
  readonly plan: BatchPlan;
  readonly receipt: BatchReceipt;
}

/** Whose batch it is, and of which scope. */
interface BatchCaller {
  readonly caller: Caller;
  readonly shown: ShownScope;
}

/** Returns what executes a plan, and what refused it last. */
export function useBatch(
  { caller, shown }: BatchCaller,
  onDone: (done: ExecutedBatch) => void,
): { readonly act: Action<[BatchPlan]>; readonly conflict: BatchConflict | undefined } {
  const [conflict, setConflict] = useState<BatchConflict>();
  const sent = useRef<{ readonly plan: BatchPlan; readonly idempotencyKey: string }>(undefined);
  const act = useAction(async (agent, plan: BatchPlan) => {
    setConflict(undefined);
    // A plan whose answer was lost is the same batch when it is sent again.
    if (sent.current?.plan !== plan) sent.current = { plan, idempotencyKey: newKey() };
    const { idempotencyKey } = sent.current;
    const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
    const propose = !may(caller, 'memory_write');
    const changes = plan.map(({ change }) => change);
    try {
      onDone({ plan, receipt: await memory.batch(changes, { propose, idempotencyKey }) });
    } catch (error) {
      const refused = refusedIn(error, plan);
      const found = refused && (await conflictOf(memory, refused));
      if (found === undefined) throw error;
      setConflict(found);
    }
  });
  return { act, conflict };
}

/** A step that was refused, and whether because of what its record was derived from. */
interface RefusedStep extends BatchStep {
  readonly isSource: boolean;
}

function refusedIn(error: unknown, plan: BatchPlan): RefusedStep | undefined {
  if (!(error instanceof AgentkeepError)) return undefined;
  const [member] = error.members;
  const [, index, rest = ''] = /^commands\[(\d+)\](.*)$/.exec(member?.path ?? '') ?? [];
  const step = index === undefined ? undefined : plan[Number(index)];
  const isSource = rest.includes('.derived_from');
  const isStale =
    rest === '' && (isRefusal(error, 'revision_conflict') || isRefusal(error, 'record_not_found'));
  return step !== undefined && (isStale || isSource) ? { ...step, isSource } : undefined;
}

async function conflictOf(
  memory: ScopedMemory,
  { record: seen, isSource }: RefusedStep,
): Promise<BatchConflict | undefined> {
  const now = await memory.read(seen.record_id).catch((error: unknown) => {
    if (isRefusal(error, 'record_not_found')) return undefined;
    throw error;
  });
  if (now === undefined) return { kind: 'gone', seen, now };
  if (isSource) return { kind: 'source', seen, now };
  return now.revision === seen.revision ? undefined : { kind: 'changed', seen, now };
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
