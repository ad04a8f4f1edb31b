/**
 * Searches by distance, beside a bare loop over the same vectors in memory. `--large` adds 100,000
 * vectors.
 */
import type { Agent, RecordInput, SearchMatch } from '@agentkeep/core';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { longestHoldMs } from './loop-holds.js';
import { median, type Reading, ROUNDS, WARM_UP_ROUNDS } from './measure.js';

/** The numbers of vectors and of their components, and of repetitions. */
export interface NearestLoad {
  readonly vectors: number;
  readonly dimension: number;
  readonly repeats: number;
}

const FULL: NearestLoad = { vectors: 10_000, dimension: 768, repeats: ROUNDS };
const LARGE: NearestLoad = { ...FULL, vectors: 100_000 };
const CACHE_BYTES = 1_073_741_824;
const FOUND = 10;

/** One reading of each size. */
export async function* nearestBenchmarks(load: NearestLoad = FULL): AsyncGenerator<Reading, void> {
  yield await nearestAmong(load);
  if (process.argv.includes('--large')) yield await nearestAmong(LARGE);
}

async function nearestAmong({ vectors, dimension, repeats }: NearestLoad): Promise<Reading> {
  await using directory = await temporaryDirectory();
  const place = {
    dataDir: directory.path,
    durability: 'relaxed',
    queryCacheBytes: CACHE_BYTES,
  } as const;
  const { keep, agent } = await keepWithAgent(place);
  const flat = new Float32Array(vectors * dimension).map(() => Math.random() - 0.5);
  const records = function* () {
    for (let index = 0; index < vectors; index += 1) {
      const embedding = [...flat.subarray(index * dimension, (index + 1) * dimension)];
      yield withEmbedding(index, embedding);
    }
  };
  for await (const { outcomes } of agent.memory.in(scope).createMany(records())) {
    if (outcomes.length === 0) break;
  }
  const wanted = Float32Array.from({ length: dimension }, () => Math.random() - 0.5);
  const tookMs: number[] = [];
  const bareMs: number[] = [];
  let longest = 0;
  for (let round = 0; round < WARM_UP_ROUNDS + repeats; round += 1) {
    const startedMs = performance.now();
    const nearest = loop(flat, wanted);
    const bare = performance.now() - startedMs;
    let took = 0;
    const held = await longestHoldMs(async () => {
      took = await searchMs(agent, wanted, nearest);
    });
    if (round < WARM_UP_ROUNDS) continue;
    tookMs.push(took);
    bareMs.push(bare);
    longest = Math.max(longest, held);
  }
  await keep.close();
  return {
    name: `search, nearest of ${vectors.toLocaleString('en-GB')} by ${dimension}`,
    figures: {
      median_ms: median(tookMs),
      bare_loop_ms: median(bareMs),
      longest_pause_ms: longest,
    },
  };
}

function withEmbedding(index: number, embedding: number[]): RecordInput {
  const record = recordAt(index);
  return { ...record, content: { ...record.content, embedding } };
}

/** Returns how long the first matches take; the nearest one must be that of the loop. */
async function searchMs(agent: Agent, wanted: Float32Array, nearest: number): Promise<number> {
  const startedMs = performance.now();
  const vector = { values: [...wanted], metric: 'dot' as const };
  const options = { order: 'nearest', vector, limit: FOUND } as const;
  const matches: SearchMatch[] = [];
  for await (const match of agent.memory.in(scope).search({}, options)) {
    matches.push(match);
    if (matches.length === FOUND) break;
  }
  const took = performance.now() - startedMs;
  if (matches[0]?.record.payload.metadata['turn'] !== nearest) {
    throw new Error('The search found another vector.');
  }
  return took;
}

/** Returns the index of the vector with the greatest dot product. */
function loop(flat: Float32Array, wanted: Float32Array): number {
  let [best, greatest] = [-1, -Infinity];
  for (let at = 0; at < flat.length; at += wanted.length) {
    let sum = 0;
    for (let part = 0; part < wanted.length; part += 1) {
      sum += (flat[at + part] ?? 0) * (wanted[part] ?? 0);
    }
    if (sum > greatest) [best, greatest] = [at / wanted.length, sum];
  }
  return best;
}
