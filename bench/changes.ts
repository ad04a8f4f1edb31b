/** Reads changes of memory by page, and measures how soon a reader that waits gets one. */
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { inFlight, median, type Reading } from './measure.js';

/** Amount of work. */
export interface ChangeLoad {
  readonly changes: number;
  readonly waits: number;
}

const full: ChangeLoad = { changes: 20_000, waits: 200 };

export async function* changeBenchmarks({ changes, waits }: ChangeLoad = full): AsyncGenerator<
  Reading,
  void
> {
  await using directory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
  await inFlight(64, changes, async (index) => {
    await agent.memory.in(scope).create(recordAt(index));
  });
  const startedMs = performance.now();
  let read = 0;
  let after: string | undefined;
  for (let hasMore = true; hasMore;) {
    const page = await agent.memory.changesPage({ after, limit: 256 });
    read += page.changes.length;
    after = page.next_after;
    hasMore = page.has_more;
  }
  const perSecond = (read / (performance.now() - startedMs)) * 1_000;
  yield { name: 'changes, pages of 256', figures: { 'changes/s': perSecond, changes: read } };

  const delaysUs: number[] = [];
  for (let wait = 0; wait < waits; wait++) {
    const waiting = agent.memory.changesPage({ after, waitMillis: 30_000 });
    const before = waiting.then(() => performance.now());
    await new Promise((resolve) => setImmediate(resolve));
    await agent.memory.in(scope).create(recordAt(wait));
    const committedMs = performance.now();
    delaysUs.push(Math.max(0, (await before) - committedMs) * 1_000);
    after = (await waiting).next_after;
  }
  const name = 'changes, from the commit to who waits';
  yield { name, figures: { median_us: median(delaysUs) } };
  await keep.close();
}
