/** `InMemoryStore` of LangGraph as a contender: it keeps everything in memory only. */
import type { ContenderKind, SampleRecord } from './contender.js';
import { importPeer } from './peers.js';

const FOUND = 20;
const NAMESPACE = ['bench', 'writer'];

interface MemoryStore {
  put(namespace: string[], key: string, value: object): Promise<void>;
  get(namespace: string[], key: string): Promise<unknown>;
  search(
    namespace: string[],
    options: { filter?: object; limit: number },
  ): Promise<{ value: SampleRecord }[]>;
}

export const langgraph: ContenderKind = {
  title: 'LangGraph InMemoryStore',
  isDurable: false,
  open: async () => {
    const { InMemoryStore } = await importPeer<{ InMemoryStore: new () => MemoryStore }>(
      '@langchain/langgraph-checkpoint',
    );
    const store = new InMemoryStore();
    const put = (record: SampleRecord): Promise<void> =>
      store.put(NAMESPACE, String(record.turn), record);
    return {
      import: async (records) => {
        for (const record of records) await put(record);
      },
      store: put,
      read: (index) => store.get(NAMESPACE, String(index)),
      // It has no search for words without an embedding, so its user filters.
      find: async (word) => {
        const all = await store.search(NAMESPACE, { limit: Number.MAX_SAFE_INTEGER });
        let found = 0;
        for (const { value } of all) {
          if (value.text.toLowerCase().includes(word)) found += 1;
          if (found === FOUND) break;
        }
        return found;
      },
      findTag: async (tag) => {
        const found = await store.search(NAMESPACE, { filter: { tag }, limit: FOUND });
        return found.length;
      },
      close: () => Promise.resolve(),
    };
  },
};
