/**
 * A worker process of the PostgreSQL benchmark: it runs the jobs of its parent with a keep or with
 * bare SQL, and returns their durations.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Keep, openKeep } from '@agentkeep/core';
import { postgresStore } from '@agentkeep/postgres';
import { BareSql } from './bare-sql.js';
import { MemoryWork } from './memory-work.js';
import type { Done, Job, Start } from './postgres-jobs.js';

const POLL_MS = 2;

process.once('message', (start: Start) => {
  void serve(start);
});

// Without its parent there is nothing to do.
process.once('disconnect', () => process.exit());

async function serve({ name, url, secret, connections }: Start): Promise<void> {
  const keep = await openKeep({ store: postgresStore({ url, maxConnections: connections }) });
  const memory = new MemoryWork(await keep.authenticate(secret), name);
  const bare = new BareSql(url, connections, name);
  process.on('message', (job: Job) => {
    readied(job, { keep, memory, bare })
      .then(async (work): Promise<Done> => {
        const startedMs = performance.now();
        await work();
        return { ms: performance.now() - startedMs };
      })
      .catch((error: unknown): Done => ({ failure: String(error) }))
      .then((done) => process.send?.(done))
      .catch(() => process.exit(1));
  });
  process.send?.({ ms: 0 } satisfies Done);
}

/** What jobs are done with. */
interface Tools {
  readonly keep: Keep;
  readonly memory: MemoryWork;
  readonly bare: BareSql;
}

/** Prepares a job; the returned function is timed. */
async function readied(
  { kind, callers, total, scopes }: Job,
  { keep, memory, bare }: Tools,
): Promise<() => Promise<void>> {
  switch (kind) {
    case 'commands':
      return () => memory.commands(callers, total, scopes);
    case 'batches':
      return () => memory.batches(callers, total, scopes);
    case 'stored events':
      return async () => {
        while ((await keep.waiting()).auditEvents > 0) await pause(POLL_MS);
      };
    case 'reads':
      return () => memory.reads(callers, total);
    case 'recalls':
      return () => memory.recalls(callers, total, scopes);
    case 'bare commands':
      return bare.commands(callers, total);
    case 'bare reads':
      return bare.reads(callers, total);
  }
}
