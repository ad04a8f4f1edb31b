/**
 * Words among many records, beside what one would pick instead, in one run: SQLite's FTS5, Orama
 * and MiniSearch on the same texts. `--million` adds 1,000,000 records.
 */
import { importPeer, installPeers } from './compare/peers.js';
import { ABSENT_WORD, ORDINARY_WORD, RARE_WORD, sampleAt } from './compare/sample.js';
import { openSqlite } from './compare/sqlite.js';
import { keepWithAgent, scope, temporaryDirectory } from './fixture.js';
import { mediansOf, type Reading, REPEATS, type Took } from './measure.js';

/** The numbers of records, and of repetitions of each short search. */
export interface SearchPeersLoad {
  readonly sizes: readonly number[];
  readonly repeats: number;
  /** Whether peers are measured, which are installed for that. */
  readonly hasPeers: boolean;
}

const FULL: SearchPeersLoad = { sizes: [10_000, 100_000], repeats: REPEATS, hasPeers: true };
const MILLION = 1_000_000;
const CACHE_BYTES = 2_147_483_648;
/** Beyond it, a search of Orama for a frequent word takes seconds. */
const ORAMA_RECORDS_MAX = 100_000;
const FOUND = 20;
const MICROS_PER_MS = 1_000;

/** Eleven words, of which records have some. */
const QUESTION = 'Which meeting did Maria review before the deployment on a Thursday';

/** Returns the number of records that are found, at most 20. */
type Find = (text: string) => Promise<number> | number;

/** Something that holds texts and finds words. */
interface Searcher extends AsyncDisposable {
  readonly name: string;
  /** The newest ones that have a word, or the first ones, as far as it orders them. */
  readonly find: Find;
  /** Those that have the rarest words of a question first. */
  readonly ask: Find;
}

interface Work {
  readonly run: (searcher: Searcher) => Promise<number> | number;
  readonly isAbsent?: boolean;
}

const WORKS: Readonly<Record<string, Work>> = {
  'an ordinary word': { run: ({ find }) => find(ORDINARY_WORD) },
  'a rare word': { run: ({ find }) => find(RARE_WORD) },
  'an absent word': { run: ({ find }) => find(ABSENT_WORD), isAbsent: true },
  'a question of eleven words': { run: ({ ask }) => ask(QUESTION) },
};

/** Stores texts under a directory, and returns what finds them. */
type Open = (directory: string, texts: Iterable<string>) => Promise<Searcher>;

/** One reading for each word and size, with the medians of each peer in microseconds. */
export async function* searchPeersBenchmarks(
  load: SearchPeersLoad = FULL,
): AsyncGenerator<Reading, void> {
  if (load.hasPeers) installPeers();
  const sizes = process.argv.includes('--million') ? [...load.sizes, MILLION] : load.sizes;
  for (const records of sizes) yield* searchesAmong(records, load);
}

async function* searchesAmong(
  records: number,
  { repeats, hasPeers }: SearchPeersLoad,
): AsyncGenerator<Reading, void> {
  const figures = new Map(Object.keys(WORKS).map((kind) => [kind, new Map<string, number>()]));
  // One after the other, so that each has the memory of the machine for itself.
  const peers = records > ORAMA_RECORDS_MAX ? [sqlite, miniSearch] : [sqlite, orama, miniSearch];
  for (const open of [agentkeep, ...(hasPeers ? peers : [])]) {
    await using directory = await temporaryDirectory();
    await using searcher = await open(directory.path, textsOf(records));
    for (const [kind, work] of Object.entries(WORKS)) {
      const { wallMs, cpuMs } = await timesOf(searcher, work, repeats);
      figures.get(kind)?.set(`${searcher.name}_us`, wallMs * MICROS_PER_MS);
      figures.get(kind)?.set(`${searcher.name}_cpu_us`, cpuMs * MICROS_PER_MS);
    }
  }
  for (const [kind, measured] of figures) {
    const name = `first ${String(FOUND)} of ${kind} among ${records.toLocaleString('en-GB')}`;
    yield { name, figures: Object.fromEntries(measured) };
  }
}

function timesOf(
  searcher: Searcher,
  { run, isAbsent = false }: Work,
  repeats: number,
): Promise<Took> {
  return mediansOf(async () => {
    const found = await run(searcher);
    if (found > 0 === isAbsent) throw new Error(`${searcher.name} found ${String(found)} records.`);
  }, repeats);
}

function* textsOf(records: number): Generator<string, void> {
  for (let index = 0; index < records; index += 1) yield sampleAt(index).text;
}

const agentkeep: Open = async (directory, texts) => {
  const place = { dataDir: directory, durability: 'relaxed', queryCacheBytes: CACHE_BYTES };
  const { keep, agent } = await keepWithAgent({ ...place, durability: 'relaxed' });
  const records = function* () {
    let turn = 0;
    for (const primary of texts) {
      const event_time_millis = (turn += 1);
      yield { episode_type: 'Conversation' as const, content: { primary }, event_time_millis };
    }
  };
  for await (const { outcomes } of agent.memory.in(scope).createMany(records())) {
    if (outcomes.length === 0) break;
  }
  return {
    name: 'agentkeep',
    find: async (text) => {
      let found = 0;
      for await (const match of agent.memory
        .in(scope)
        .search({ words: { text } }, { limit: FOUND })) {
        found += Number(match.record.revision > 0);
        if (found === FOUND) break;
      }
      return found;
    },
    ask: async (text) => {
      let found = 0;
      const words = { text, match: 'any' } as const;
      const best = { order: 'rarest_words', limit: FOUND } as const;
      for await (const match of agent.memory.in(scope).search({ words }, best)) {
        found += Number(match.record.revision > 0);
        if (found === FOUND) break;
      }
      return found;
    },
    [Symbol.asyncDispose]: () => keep.close(),
  };
};

const sqlite: Open = async (directory, texts) => {
  const database = await openSqlite(`${directory}/search.db`);
  database.exec('CREATE VIRTUAL TABLE found USING fts5 (text)');
  const insert = database.prepare('INSERT INTO found (text) VALUES (?)');
  database.transaction(() => {
    for (const text of texts) insert.run(text);
  })();
  const newest = 'SELECT rowid, text FROM found WHERE found MATCH ? ORDER BY rowid DESC LIMIT 20';
  const select = database.prepare(newest);
  const best = 'SELECT rowid, text FROM found WHERE found MATCH ? ORDER BY bm25(found) LIMIT 20';
  const selectBest = database.prepare(best);
  return {
    name: 'fts5',
    find: (word) => select.all(word).length,
    ask: (question) => selectBest.all(question.split(' ').join(' OR ')).length,
    [Symbol.asyncDispose]: () => {
      database.close();
      return Promise.resolve();
    },
  };
};

interface Orama {
  readonly create: (options: { schema: object }) => unknown;
  readonly insertMultiple: (index: unknown, documents: object[], batch: number) => Promise<unknown>;
  readonly search: (index: unknown, query: object) => Promise<{ hits: unknown[] }>;
}

const orama: Open = async (_directory, texts) => {
  const { create, insertMultiple, search } = await importPeer<Orama>('@orama/orama');
  const index = create({ schema: { text: 'string' } });
  const documents = Array.from(texts, (text) => ({ text }));
  await insertMultiple(index, documents, 1_000);
  return {
    name: 'orama',
    // Without a tolerance it finds whole words and what starts with them.
    find: async (term) => (await search(index, { term, limit: FOUND, exact: true })).hits.length,
    ask: async (term) => (await search(index, { term, limit: FOUND, threshold: 1 })).hits.length,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};

interface MiniSearchIndex {
  addAll(documents: object[]): void;
  search(word: string): unknown[];
}

const miniSearch: Open = async (_directory, texts) => {
  const { default: MiniSearch } = await importPeer<{
    default: new (options: object) => MiniSearchIndex;
  }>('minisearch');
  const index = new MiniSearch({ fields: ['text'], storeFields: ['text'] });
  index.addAll(Array.from(texts, (text, id) => ({ id, text })));
  return {
    name: 'minisearch',
    find: (word) => index.search(word).slice(0, FOUND).length,
    ask: (question) => index.search(question).slice(0, FOUND).length,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
