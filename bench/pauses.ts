/** Measures for how long operations at their documented maxima hold the event loop. */
import { setImmediate } from 'node:timers/promises';
import type { Agent, Keep } from '@agentkeep/core';
import { createSnapshot, verifyAudit } from '@agentkeep/core/operator';
import { everywhere, keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { longestHoldMs } from './loop-holds.js';
import { inFlight, median, type Reading } from './measure.js';
import { activateAll, judgeOf, LONG_BYTES } from './selection.js';

/** What is stored before, and how often each operation runs. */
export interface PauseLoad {
  readonly records: number;
  readonly procedures: number;
  /** Callers that write at once. */
  readonly callers: number;
  readonly repeats: number;
}

const FULL: PauseLoad = { records: 20_000, procedures: 5_000, callers: 512, repeats: 5 };

/** Close to the largest document, of 65,536 bytes. */
const LARGE_CHARS = 60_000;
/** Text of each of 256 commands, so that their document is close to 1,048,576 bytes. */
const BATCHED_CHARS = 3_500;
const QUERY_RECORDS = 1_000;
const REVISIONS = 100;
const AUDIT_EVENTS = 1_000;

/** One reading per operation. */
export async function* pauseBenchmarks(load: PauseLoad = FULL): AsyncGenerator<Reading, void> {
  await using directory = await temporaryDirectory();
  const { keep, admin, agent } = await keepWithAgent({ dataDir: directory.path }, everywhere);
  let written = 0;
  const write = (): Promise<unknown> => {
    const index = written++;
    return agent.memory.in(scope).create(recordAt(index), { idempotencyKey: String(index) });
  };
  await inFlight(load.callers, load.records, write);
  const judge = await judgeOf(keep, admin);
  await activateAll(judge, load.procedures);
  const revised = await revisedRecord(agent);
  const operations = operationsOf({ keep, admin, agent, judge, revised });
  const writers = `commands, ${String(load.callers)} callers`;
  operations[writers] = () => inTurns(load.callers, 4 * load.callers, write);
  for (const [name, run] of Object.entries(operations)) {
    const holds: number[] = [];
    await run();
    while (holds.length < load.repeats) holds.push(await longestHoldMs(run));
    const figures = { longest_ms: median(holds), worst_ms: Math.max(...holds) };
    yield { name: `held by ${name}`, figures };
  }
  await keep.close();
}

/** Callers that begin at once hold the loop themselves, before anything is held for them. */
const BEGIN_AT_ONCE = 16;

/** Runs work with a number of callers, which begin in several turns of the event loop. */
async function inTurns(
  callers: number,
  total: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const begun: Promise<void>[] = [];
  for (let first = 0; first < callers; first += BEGIN_AT_ONCE) {
    const some = Math.min(BEGIN_AT_ONCE, callers - first);
    begun.push(inFlight(some, Math.ceil((total * some) / callers), work));
    await setImmediate();
  }
  await Promise.all(begun);
}

/** Makes a record with as many large revisions as are kept; returns its id. */
async function revisedRecord(agent: Agent): Promise<string> {
  const record = recordAt(0);
  const primary = 'A large document. '.repeat(LARGE_CHARS / 18);
  const memory = agent.memory.in(scope);
  let id = '';
  for (let left = REVISIONS; left > 0; left -= 1) {
    const content = { ...record.content, primary };
    id = (await memory.put('revised', { ...record, content })).record_id;
  }
  return id;
}

interface Parties {
  readonly keep: Keep;
  readonly admin: Agent;
  readonly agent: Agent;
  readonly judge: Agent;
  /** Id of a record with a long history. */
  readonly revised: string;
}

function operationsOf({
  keep,
  admin,
  agent,
  judge,
  revised,
}: Parties): Record<string, () => Promise<unknown>> {
  const large = recordAt(0);
  const primary = 'A large document. '.repeat(LARGE_CHARS / 18);
  let largeWritten = 0;
  return {
    nothing: () => new Promise((resolve) => setTimeout(resolve, 100)),
    'a large document': () => {
      const content = { ...large.content, primary };
      const idempotencyKey = `large ${String(largeWritten++)}`;
      return agent.memory.in(scope).create({ ...large, content }, { idempotencyKey });
    },
    'a batch of 1 MiB': () => {
      const content = { ...large.content, primary: primary.slice(0, BATCHED_CHARS) };
      const operation = { type: 'create', record: { ...large, content } } as const;
      return agent.memory.in(scope).batch(Array.from({ length: 256 }, () => operation));
    },
    'a query of 10,000 entries': () =>
      agent.memory
        .in(scope)
        .queryPage({ text_contains: 'a word that is absent' }, { scanLimit: 10_000 }),
    'a query for 1,000 records': () =>
      agent.memory.in(scope).queryPage({}, { limit: QUERY_RECORDS }),
    'a list of 100 revisions': () =>
      agent.memory.in(scope).historyPage(revised, { limit: REVISIONS }),
    'a read of the oldest revision': () =>
      agent.memory
        .in(scope)
        .read(revised, { asOfMillis: 0 })
        .catch(() => undefined),
    'a query for 1,000 events': () => admin.audit.queryPage({ limit: AUDIT_EVENTS }),
    'verification of the audit log': () => verifyAudit(keep),
    'selection of the last': () =>
      judge.learning.select(scope, {
        policyId: 'pol',
        contextId: 'ctx',
        maxInstructionBytes: LONG_BYTES - 1,
      }),
    'a snapshot': () => createSnapshot(keep),
  };
}
