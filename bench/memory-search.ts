/**
 * Searches of memory: the last records of small and large scopes, and words among many. `--million`
 * adds a scope of 1,000,000 records.
 */
import type { Agent, SearchFilterInput } from '@agentkeep/core';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { longestHoldMs } from './loop-holds.js';
import { mediansOf, type Reading, REPEATS, ROUNDS } from './measure.js';

/** The numbers of records, and of repetitions of each short search. */
export interface MemorySearchLoad {
  readonly sizes: readonly number[];
  readonly repeats: number;
}

const FULL: MemorySearchLoad = { sizes: [20, 10_000, 100_000], repeats: REPEATS };
const MILLION = 1_000_000;
const CACHE_BYTES = 1_073_741_824;
const FOUND = 20;
/** A record in so many has the rare word. */
const RARE_EVERY = 4_000;

const searches: Readonly<Record<string, SearchFilterInput>> = {
  'the last 20': {},
  'a frequent word': { words: { text: 'queue' } },
  'a rare word': { words: { text: 'xylophone' } },
  'an absent word': { words: { text: 'heliotrope' } },
  'a value of metadata': { members: [{ of: 'metadata', path: ['turn'], below: 20 }] },
};

/** One reading for each search of each size. */
export async function* memorySearchBenchmarks({
  sizes,
  repeats,
}: MemorySearchLoad = FULL): AsyncGenerator<Reading, void> {
  const isMillion = process.argv.includes('--million');
  for (const records of isMillion ? [...sizes, MILLION] : sizes) {
    yield* searchesAmong(records, repeats);
  }
}

async function* searchesAmong(records: number, repeats: number): AsyncGenerator<Reading, void> {
  await using directory = await temporaryDirectory();
  const place = {
    dataDir: directory.path,
    durability: 'relaxed',
    queryCacheBytes: CACHE_BYTES,
  } as const;
  const { keep, agent } = await keepWithAgent(place);
  const batches = agent.memory.in(scope).createMany(texts(records));
  for await (const { outcomes } of batches) if (outcomes.length === 0) break;
  for (const [name, filter] of Object.entries(searches)) {
    let [longest, found, scanned] = [0, 0, 0];
    const find = async () => {
      [found, scanned] = await firstOf(agent, filter);
    };
    const { wallMs, cpuMs } = await mediansOf(find, repeats);
    // Watching the event loop takes time itself, so these rounds are not timed.
    for (let round = 0; round < ROUNDS; round += 1) {
      longest = Math.max(longest, await longestHoldMs(find));
    }
    yield {
      name: `search, ${name} of ${records.toLocaleString('en-GB')}`,
      figures: {
        median_ms: wallMs,
        median_cpu_ms: cpuMs,
        found,
        scanned,
        longest_pause_ms: longest,
      },
    };
  }
  await keep.close();
}

function* texts(records: number) {
  for (let index = 0; index < records; index += 1) {
    const record = recordAt(index);
    const isRare = index % RARE_EVERY === 0;
    yield isRare ? { ...record, content: { primary: 'A xylophone.' } } : record;
  }
}

/** Searches for the first matches, or all; returns how many there are, and entries examined. */
async function firstOf(agent: Agent, filter: SearchFilterInput): Promise<[number, number]> {
  let [found, scanned] = [0, 0];
  let cursor: string | null = null;
  do {
    const place: { cursor?: string } = cursor === null ? {} : { cursor };
    const page = await agent.memory.in(scope).searchPage(filter, { ...place, limit: FOUND });
    found += page.matches.length;
    scanned += page.scanned_records;
    cursor = page.next_cursor;
  } while (cursor !== null && found < FOUND);
  return [found, scanned];
}
