/**
 * Searches for words among many records with real prose, in the order in which agents store it.
 * `--million` adds a search of a whole scope of 1,000,000 records.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Agent, RecordInput } from '@agentkeep/core';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { longestHoldMs } from './loop-holds.js';
import { inFlight, median, type Reading, ROUNDS, WARM_UP_ROUNDS } from './measure.js';

/** The number of records, and of repetitions per word. */
export interface SearchLoad {
  readonly records: number;
  readonly repeats: number;
}

const FULL: SearchLoad = { records: 100_000, repeats: ROUNDS };
const MILLION: SearchLoad = { records: 1_000_000, repeats: ROUNDS };
const MILLION_CACHE_BYTES = 1_073_741_824;
const TEXT_CHARS = 400;
const RARE = 'xylophone';
/** A record in so many has the rare word. */
const RARE_EVERY = 4_000;
const FOUND = 20;
const WORDS = { 'rare word': RARE, 'absent word': 'heliotrope', 'two letters': 'qz' };

/** One reading for each kind of word. */
export async function* searchBenchmarks(load: SearchLoad = FULL): AsyncGenerator<Reading, void> {
  yield* searchesAmong(load, {});
  if (!process.argv.includes('--million')) return;
  yield* searchesAmong(MILLION, { queryCacheBytes: MILLION_CACHE_BYTES });
}

async function* searchesAmong(
  { records, repeats }: SearchLoad,
  options: { readonly queryCacheBytes?: number },
): AsyncGenerator<Reading, void> {
  await using directory = await temporaryDirectory();
  const place = { dataDir: directory.path, durability: 'relaxed', ...options } as const;
  const { keep, agent } = await keepWithAgent(place);
  const prose = readProse();
  const store = (index: number): Promise<unknown> =>
    agent.memory.in(scope).create(proseAt(prose, index), { idempotencyKey: String(index) });
  await inFlight(256, records, store);
  let stored = records;
  for (const [name, word] of Object.entries(WORDS)) {
    const tookMs: number[] = [];
    const behindWriteMs: number[] = [];
    let longest = 0;
    for (let round = 0; round < WARM_UP_ROUNDS + repeats; round += 1) {
      let took = 0;
      const held = await longestHoldMs(async () => {
        took = await searchMs(agent, word);
      });
      await store(stored);
      stored += 1;
      const behindWrite = await searchMs(agent, word);
      if (round < WARM_UP_ROUNDS) continue;
      tookMs.push(took);
      behindWriteMs.push(behindWrite);
      longest = Math.max(longest, held);
    }
    yield {
      name: `${name} among ${records.toLocaleString('en-GB')}`,
      figures: {
        median_ms: median(tookMs),
        behind_a_write_ms: median(behindWriteMs),
        longest_pause_ms: longest,
      },
    };
  }
  await keep.close();
}

/** Returns how long the first matches take, or all where there are fewer. */
async function searchMs(agent: Agent, text: string): Promise<number> {
  const startedMs = performance.now();
  let found = 0;
  for await (const record of agent.memory
    .in(scope)
    .query({ text_contains: text }, { limit: FOUND })) {
    found += Number(record.revision > 0);
    if (found === FOUND) break;
  }
  return performance.now() - startedMs;
}

/** Returns the text of all pages of the documentation. */
function readProse(): string {
  const folder = fileURLToPath(new URL('../docs/', import.meta.url));
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = pages
    .filter((page) => page.endsWith('.md'))
    .toSorted()
    .map((page) => readFileSync(`${folder}${page}`, 'utf8'));
  return texts.join('\n').replaceAll(/\s+/g, ' ');
}

function proseAt(prose: string, index: number): RecordInput {
  const at = (index * TEXT_CHARS) % (prose.length - TEXT_CHARS);
  const text = prose.slice(at, at + TEXT_CHARS);
  const primary = index % RARE_EVERY === 0 ? `${text} ${RARE}` : text;
  return { ...recordAt(index), content: { primary } };
}
