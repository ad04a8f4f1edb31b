/** `mem0ai` as a contender, without a model: texts stored as they are, and a made-up embedding. */
import { join } from 'node:path';
import type { ContenderKind, SampleRecord } from './contender.js';
import { importPeer } from './peers.js';

const DIMENSION = 384;
const USER = { userId: 'writer', infer: false };

interface Memory {
  add(text: string, options: object): Promise<{ results: { id: string }[] }>;
  get(id: string): Promise<unknown>;
}

type NewMemory = new (config: object) => Memory;

export const mem0: ContenderKind = {
  title: 'mem0ai, without a model',
  isDurable: true,
  recordsMax: 1_000,
  open: async (directory) => {
    process.env['MEM0_TELEMETRY'] = 'false';
    const { Memory } = await importPeer<{ Memory: NewMemory }>('mem0ai/oss');
    const memory = new Memory({
      disableHistory: true,
      embedder: { provider: 'langchain', config: { model: await madeUpEmbeddings() } },
      vectorStore: {
        provider: 'memory',
        config: {
          collectionName: 'bench',
          dimension: DIMENSION,
          dbPath: join(directory, 'vectors.db'),
        },
      },
      // Never called, since nothing is inferred.
      llm: { provider: 'openai', config: { apiKey: 'none', model: 'none' } },
    });
    const ids: string[] = [];
    const store = async ({ text, turn }: SampleRecord): Promise<void> => {
      const { results } = await memory.add(text, USER);
      ids[turn] = results[0]?.id ?? '';
    };
    return {
      import: async (records) => {
        for (const record of records) await store(record);
      },
      store,
      read: (index) => memory.get(ids[index] ?? ''),
      close: () => Promise.resolve(),
    };
  },
};

/** Counts characters. A real embedding costs a call of a model for each text. */
async function madeUpEmbeddings(): Promise<object> {
  type NewEmbeddings = new (options: object) => object;
  const { Embeddings } = await importPeer<{ Embeddings: NewEmbeddings }>(
    '@langchain/core/embeddings',
  );
  const embed = (text: string): number[] => {
    const vector = new Array<number>(DIMENSION).fill(0);
    for (const character of text) {
      const at = (character.codePointAt(0) ?? 0) % DIMENSION;
      vector[at] = (vector[at] ?? 0) + 1;
    }
    return vector;
  };
  return new (class extends Embeddings {
    embedQuery(text: string): Promise<number[]> {
      return Promise.resolve(embed(text));
    }

    embedDocuments(texts: string[]): Promise<number[][]> {
      return Promise.resolve(texts.map(embed));
    }
  })({});
}
