/** SQLite's FTS5, MiniSearch, Orama and plain BM25, each with and without stems and stop words. */
import { importPeer } from '../compare/peers.js';
import { openSqlite } from '../compare/sqlite.js';
import { Bm25, type Bm25Setting, type ReadWord } from './bm25.js';
import { type Contender, passagesOf } from './contender.js';

/** Passages that are asked for: more than any budget holds. */
const PASSAGES = 100;

interface English {
  readonly stem: (word: string) => string;
  readonly stopWords: readonly string[];
}

async function english(): Promise<English> {
  const { stemmer } = await importPeer<{ stemmer: (word: string) => string }>(
    '@orama/stemmers/english',
  );
  const { stopwords } = await importPeer<{ stopwords: string[] }>('@orama/stopwords/english');
  const parts = stopwords.flatMap((word) => [word, ...word.split(/\P{L}+/u)]);
  return { stem: stemmer, stopWords: [...new Set(parts)] };
}

/** Words as they are. */
const exact: ReadWord = (word) => word;

async function stemmed(): Promise<ReadWord> {
  const { stem, stopWords } = await english();
  const stops = new Set(stopWords);
  return (word) => (stops.has(word) ? undefined : stem(word));
}

function fts5(title: string, tokenize: string): Contender {
  return {
    title,
    open: async (turns) => {
      const database = await openSqlite(':memory:');
      database.exec(`CREATE VIRTUAL TABLE found USING fts5 (text, tokenize = '${tokenize}')`);
      const insert = database.prepare('INSERT INTO found (rowid, text) VALUES (?, ?)');
      for (const [number, { text }] of turns.entries()) insert.run(number, text);
      const select = database.prepare(
        `SELECT rowid FROM found WHERE found MATCH ? ORDER BY bm25(found) LIMIT ${String(PASSAGES)}`,
      );
      return (question) => {
        const words = question.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
        const rows = select.all(words.map((word) => `"${word}"`).join(' OR '));
        const numbers = (rows as { rowid: number }[]).map(({ rowid }) => rowid);
        return Promise.resolve(passagesOf(turns, numbers));
      };
    },
  };
}

function bm25(title: string, setting: Bm25Setting): Contender {
  return {
    title,
    open: async (turns) => {
      const texts = turns.map(({ text }) => text);
      const ranking = new Bm25(texts, await stemmed(), setting);
      return (question) => Promise.resolve(passagesOf(turns, ranking.rank(question)));
    },
  };
}

interface MiniSearchIndex {
  addAll(documents: object[]): void;
  search(question: string, options: object): { readonly id: number }[];
}

function miniSearch(title: string, reader: () => Promise<ReadWord>): Contender {
  return {
    title,
    open: async (turns) => {
      const { default: MiniSearch } = await importPeer<{
        default: new (options: object) => MiniSearchIndex;
      }>('minisearch');
      const read = await reader();
      const processTerm = (word: string) => read(word.toLowerCase()) ?? null;
      const index = new MiniSearch({ fields: ['text'], processTerm });
      index.addAll(turns.map(({ text }, id) => ({ id, text })));
      return (question) => {
        const found = index.search(question, { combineWith: 'OR' });
        return Promise.resolve(
          passagesOf(
            turns,
            found.map(({ id }) => id),
          ),
        );
      };
    },
  };
}

interface OramaModule {
  readonly create: (options: object) => unknown;
  readonly insertMultiple: (index: unknown, documents: object[], batch: number) => Promise<unknown>;
  readonly search: (
    index: unknown,
    query: object,
  ) => Promise<{ hits: { readonly document: { readonly number: number } }[] }>;
}

function orama(title: string, isStemmed: boolean): Contender {
  return {
    title,
    open: async (turns) => {
      const { create, insertMultiple, search } = await importPeer<OramaModule>('@orama/orama');
      const { stem, stopWords } = await english();
      const tokenizer = { stemming: true, stemmer: stem, stopWords, language: 'english' };
      const components = isStemmed ? { components: { tokenizer } } : {};
      const index = create({ schema: { text: 'string', number: 'number' }, ...components });
      const documents = turns.map(({ text }, number) => ({ text, number }));
      await insertMultiple(index, documents, 1_000);
      return async (term) => {
        // A threshold of 1 finds what has any of the words.
        const query = { term, properties: ['text'], limit: PASSAGES, threshold: 1 };
        const { hits } = await search(index, query);
        return passagesOf(
          turns,
          hits.map(({ document }) => document.number),
        );
      };
    },
  };
}

/** All peers. */
export const peers: readonly Contender[] = [
  fts5('FTS5 `bm25`', 'unicode61'),
  fts5('FTS5 `bm25`, porter', 'porter unicode61'),
  miniSearch('MiniSearch', () => Promise.resolve(exact)),
  miniSearch('MiniSearch, stems and stop words', stemmed),
  orama('Orama', false),
  orama('Orama, stems and stop words', true),
  bm25('BM25 (1.2, 0.75), stems and stop words', { k1: 1.2, b: 0.75 }),
  bm25('BM25 (0.4, 0.2), stems and stop words', { k1: 0.4, b: 0.2 }),
  bm25('BM25 (1.2, 0.9), stems and stop words', { k1: 1.2, b: 0.9 }),
];
