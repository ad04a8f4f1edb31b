/** Benchmarks queries of a long audit log. */
import type { Agent, AuditFilter } from '@agentkeep/core';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { inFlight, median, type Reading } from './measure.js';

/** The number of events, users and repetitions. */
export interface AuditLoad {
  readonly events: number;
  readonly users: number;
  /** Times that each query runs. */
  readonly repeats: number;
}

const FULL: AuditLoad = { events: 300_000, users: 100, repeats: 50 };
/** Events per batch before they are stored; far below the limit of the queue. */
const EVENTS_AT_ONCE = 20_000;
const WRITERS = 64;
const REPEATED = { idempotencyKey: 'the only one' };

/** One reading per kind of query; each returns 100 events. */
export async function* auditBenchmarks(load: AuditLoad = FULL): AsyncGenerator<Reading, void> {
  await using directory = await temporaryDirectory();
  const { keep, admin } = await keepWithAgent({
    dataDir: directory.path,
    durability: 'relaxed',
    audit: { maxEvents: 2 * load.events },
  });
  const users: { readonly id: string; readonly agent: Agent }[] = [];
  for (let index = 0; index < load.users; index++) {
    const { credential, secret } = await admin.credentials.issue({
      subject_id: `user-${String(index)}`,
      capabilities: ['memory_write'],
      grants: [scope],
    });
    users.push({ id: credential.id, agent: await keep.authenticate(secret) });
  }
  const startedMs = performance.now();
  const times: number[] = [];
  for (let stored = 0; stored < load.events; stored += EVENTS_AT_ONCE) {
    times.push(Date.now());
    const some = Math.min(EVENTS_AT_ONCE, load.events - stored);
    // Each repetition of a command is an event, while repeated reads are only counted.
    await inFlight(WRITERS, some, async (index) =>
      users[index % users.length]?.agent.memory.in(scope).create(recordAt(0), REPEATED),
    );
    // A query first stores all queued events.
    await admin.audit.queryPage({ limit: 1 });
  }
  yield {
    name: 'audit, recording',
    figures: { events_per_second: (load.events * 1_000) / (performance.now() - startedMs) },
  };
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  const user = users[Math.floor(users.length / 2)];
  const filters: Record<string, AuditFilter> = {
    newest: {},
    'by user': { userId: user?.id ?? '' },
    'by user, until half way': { userId: user?.id ?? '', endTime: middle },
    'by a rare action': { eventType: 'system_startup' },
    'by result and time': { result: 'success', startTime: times[0] ?? 0, endTime: middle },
  };
  for (const [kind, filter] of Object.entries(filters)) {
    yield { name: `audit query, ${kind}`, figures: await timesOf(admin, filter, load) };
  }
  await keep.close();
}

async function timesOf(
  admin: Agent,
  filter: AuditFilter,
  { repeats, events }: AuditLoad,
): Promise<Reading['figures']> {
  const tookMs: number[] = [];
  let found = 0;
  for (let index = 0; index < repeats; index++) {
    const startedMs = performance.now();
    found = (await admin.audit.queryPage(filter)).events.length;
    tookMs.push(performance.now() - startedMs);
  }
  return { median_ms: median(tookMs), longest_ms: Math.max(...tookMs), found, of_events: events };
}
