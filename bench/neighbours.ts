/**
 * Measures `GET /identity` of one tenant: alone, beside an agent of another tenant that scans, and
 * beside one that reads the largest pages. Each agent has 32 calls in flight, on a connection each.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Load, type LoadRequest } from './load.js';
import { median, type Reading } from './measure.js';
import type { ServedNeighbours } from './neighbours-server.js';

/** The amount of work. */
export interface NeighboursLoad {
  /** Records that a scan examines. */
  readonly small: number;
  /** Records of 62 KB that pages show. */
  readonly large: number;
  /** Calls in flight of the agent that causes the load. */
  readonly parallel: number;
  /** Measured calls beside each load. */
  readonly calls: number;
}

/** A test runner does not pass its own loader on. */
const LOADER = ['--import', import.meta.resolve('tsx'), '--conditions=agentkeep-source'];

const FULL: NeighboursLoad = { small: 10_000, large: 1_000, parallel: 32, calls: 300 };

/** A reading without load, and one beside each load. */
export async function* neighbourBenchmarks(
  load: NeighboursLoad = FULL,
): AsyncGenerator<Reading, void> {
  const script = fileURLToPath(new URL('./neighbours-server.ts', import.meta.url));
  const child = fork(script, [String(load.small), String(load.large)], { execArgv: LOADER });
  const [served] = (await once(child, 'message')) as [ServedNeighbours];
  try {
    yield { name: 'neighbour alone', figures: await latencies(served, load.calls) };
    const scan = queryOf(served, 'small', { text_contains: 'nowhere to be found' });
    yield* besideLoad('neighbour beside scans', served, load, scan);
    const pages = queryOf(served, 'large', { limit: 1_000 });
    yield* besideLoad('neighbour beside pages', served, load, pages);
  } finally {
    child.send('stop');
    await once(child, 'exit');
  }
}

async function* besideLoad(
  name: string,
  served: ServedNeighbours,
  { parallel, calls }: NeighboursLoad,
  request: LoadRequest,
): AsyncGenerator<Reading, void> {
  const loud = await new Load().open(served.port, parallel);
  const state = { isOver: false };
  let answered = 0;
  const working = (async () => {
    while (!state.isOver) {
      await loud.run(parallel, request);
      answered += parallel;
    }
  })();
  const startedMs = performance.now();
  const figures = await latencies(served, calls);
  const seconds = (performance.now() - startedMs) / 1_000;
  state.isOver = true;
  await working;
  loud.close();
  yield { name, figures: { ...figures, loud_answers_per_second: answered / seconds } };
}

/** Sends one call after the other and returns how long they took. */
async function latencies(
  { port, quiet }: ServedNeighbours,
  calls: number,
): Promise<Reading['figures']> {
  const own = await new Load().open(port, 1);
  const headers = { Authorization: `Bearer ${quiet}` };
  const request: LoadRequest = {
    method: 'GET',
    path: '/api/v1/identity',
    headers,
  };
  const tookMs: number[] = [];
  for (let index = 0; index < calls; index++) {
    const startedMs = performance.now();
    await own.run(1, request);
    tookMs.push(performance.now() - startedMs);
  }
  own.close();
  const ascending = tookMs.toSorted((one, other) => one - other);
  return {
    median_ms: median(tookMs),
    p99_ms: ascending[Math.floor(ascending.length * 0.99)] ?? Number.NaN,
    longest_ms: ascending.at(-1) ?? Number.NaN,
  };
}

function queryOf({ loud }: ServedNeighbours, project_id: string, filter: object): LoadRequest {
  const scope = { project_id, agent_id: 'writer', visibility: 'shared' };
  const body = JSON.stringify({ contract_version: 1, scope, filter });
  return {
    method: 'POST',
    path: '/api/v1/memory/query',
    headers: { Authorization: `Bearer ${loud}`, 'Content-Type': 'application/json' },
    body: () => body,
  };
}
