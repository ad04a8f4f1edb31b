/**
 * Counts the files of core that a warm create runs: one record more, by an agent of an open keep
 * that has created many. These are the files to read before one understands what a create does.
 *
 * The engine's own coverage tells which functions run. Work that happens to run beside one create,
 * as that of timers, doesn't count: only files that each of several creates runs do.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryStore, type KeepOptions, openKeep } from '../../packages/core/src/index.ts';
import { bootstrapTenant } from '../../packages/core/src/operator.ts';

/** Files that a warm create runs, on the default store and in memory. */
export interface CreateCounts {
  readonly createOnDisk: number;
  readonly createInMemory: number;
}

/** Creates before the first that is counted. */
const WARMING = 100;

/** Creates that are counted. */
const COUNTED = 5;

const SOURCES = '/packages/core/src/';
const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

/** Counts the files on both stores, in a temporary directory that is gone afterwards. */
export async function countCreate(): Promise<CreateCounts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-places-'));
  try {
    return {
      createOnDisk: (await filesOfCreate({ dataDir })).size,
      createInMemory: (await filesOfCreate({ store: inMemoryStore() })).size,
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Returns the files that every counted create runs, by their paths in core's sources. */
async function filesOfCreate(where: KeepOptions): Promise<ReadonlySet<string>> {
  await using keep = await openKeep(where);
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const issued = await admin.credentials.issue({
    subject_id: 'writer',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  const agent = await keep.authenticate(issued.secret);
  const memory = agent.memory.in(scope);
  const create = (index: number): Promise<unknown> =>
    memory.create(
      {
        episode_type: 'Conversation',
        content: { primary: `The gate of the north field was open in turn ${String(index)}.` },
        event_time_millis: 1_700_000_000_000 + index,
        tags: ['north'],
        metadata: { turn: index },
      },
      { idempotencyKey: `create-number-${String(index)}` },
    );
  for (let index = 0; index < WARMING; index += 1) await create(index);

  using coverage = await FileCoverage.start();
  let files: ReadonlySet<string> | undefined;
  for (let index = 0; index < COUNTED; index += 1) {
    const run = await coverage.during(() => create(WARMING + index));
    files = files === undefined ? run : new Set([...files].filter((path) => run.has(path)));
  }
  return files ?? new Set();
}

/** Tells which files of core run functions. */
class FileCoverage implements Disposable {
  readonly #session: Session;

  private constructor(session: Session) {
    this.#session = session;
  }

  static async start(): Promise<FileCoverage> {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return new FileCoverage(session);
  }

  /** Returns the files of which functions run before the work has ended. */
  async during(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
    await this.#session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    // The whole of a module is a function that starts at 0, and ran when the module was loaded.
    const hasRun = result.filter(({ functions }) =>
      functions.some(({ ranges: [whole] }) => whole && whole.count > 0 && whole.startOffset > 0),
    );
    const paths = hasRun.flatMap(({ url }) => url.split(SOURCES)[1] ?? []);
    return new Set(paths);
  }

  [Symbol.dispose](): void {
    this.#session.disconnect();
  }
}
