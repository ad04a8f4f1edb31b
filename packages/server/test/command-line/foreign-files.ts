/** Files that other projects' own code writes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const requireFrom = (name: string) =>
  createRequire(new URL(`../../../${name}/package.json`, import.meta.url));

/** Lets the reference server of the Model Context Protocol write its file. */
export async function writeGraph(file: string): Promise<void> {
  const program = requireFrom('mcp').resolve('@modelcontextprotocol/server-memory/dist/index.js');
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, MEMORY_FILE_PATH: file },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: object): Promise<void> => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { value } = await answers.next();
    if (!String(value).includes('"result"')) throw new Error(`${method}: ${String(value)}`);
  };
  const tell = (name: string, args: object) => ask('tools/call', { name, arguments: args });
  const clientInfo = { name: 'test', version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const entities = [
    { name: 'Ann', entityType: 'person', observations: ['likes tea', 'lives in Graz'] },
    { name: 'Acme', entityType: 'company', observations: [] },
  ];
  await tell('create_entities', { entities });
  await tell('create_relations', {
    relations: [{ from: 'Ann', to: 'Acme', relationType: 'works at' }],
  });
  child.stdin.end();
  child.kill();
  await once(child, 'close');
}

/** The part of a store of LangGraph that the test uses. */
interface ItemStore {
  put(namespace: string[], key: string, value: object): Promise<void>;
  search(namespace: string[]): Promise<object[]>;
}

/** Returns what a store of LangGraph returns of its items, as JSON. */
export async function langgraphJson(): Promise<string> {
  const path = requireFrom('langgraph').resolve('@langchain/langgraph');
  const { InMemoryStore } = (await import(path)) as { InMemoryStore: new () => ItemStore };
  const store = new InMemoryStore();
  await store.put(['memories', 'ann'], 'm1', { text: 'Ann prefers aisle seats.' });
  await store.put(['memories', 'ann'], 'm2', { seat: '12C' });
  return JSON.stringify(await store.search(['memories']));
}

/**
 * What `getAll()` of `mem0ai` 3.3.1 returned from its own code for two memories that were added
 * without inference; vectors were kept in a map, as its SQLite needs a compiler.
 */
export const mem0Json = JSON.stringify({
  results: [
    {
      id: 'cc58d281-a54f-4030-971a-a9ef47ccd139',
      memory: 'I prefer aisle seats.',
      hash: 'd53b953e2a801e6bfbd19fd7224ec77d',
      createdAt: '2026-11-26T03:02:35.397Z',
      metadata: { topic: 'travel' },
      user_id: 'ann',
    },
    {
      id: '4083cfb4-5ec3-4f19-bc2f-b0fc3deffa4b',
      memory: 'My sister lives in Graz.',
      hash: 'c6750ac2aabc1071c983edd86a346850',
      createdAt: '2026-11-26T03:02:35.397Z',
      metadata: {},
      user_id: 'ann',
    },
  ],
});

/** A conversation in the shape of `conversations.json` of ChatGPT, as its users document it. */
export const chatgptJson = JSON.stringify([
  {
    title: 'Seats',
    create_time: 1_700_000_000.5,
    conversation_id: 'c-1',
    current_node: 'n3',
    mapping: {
      n0: { id: 'n0', message: null, parent: null, children: ['n1'] },
      n1: {
        id: 'n1',
        parent: 'n0',
        children: ['n2', 'n3'],
        message: {
          id: 'm1',
          author: { role: 'user' },
          create_time: 1_700_000_001.25,
          content: { content_type: 'text', parts: ['Which seat do I prefer?'] },
        },
      },
      n2: {
        id: 'n2',
        parent: 'n1',
        children: [],
        message: {
          id: 'm2',
          author: { role: 'assistant' },
          create_time: 1_700_000_002,
          content: { content_type: 'text', parts: ['A replaced answer.'] },
        },
      },
      n3: {
        id: 'n3',
        parent: 'n1',
        children: [],
        message: {
          id: 'm3',
          author: { role: 'assistant' },
          create_time: 1_700_000_003,
          content: { content_type: 'text', parts: ['The aisle.'] },
        },
      },
    },
  },
]);
