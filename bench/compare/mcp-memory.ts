/** The memory server of the Model Context Protocol as a contender, over its own transport. */
import { join } from 'node:path';
import type { ContenderKind, SampleRecord } from './contender.js';
import { importPeer, peerProgram } from './peers.js';

interface Client {
  connect(transport: object): Promise<void>;
  callTool(call: { name: string; arguments: object }): Promise<{ structuredContent?: unknown }>;
  close(): Promise<void>;
}

type NewClient = new (info: { name: string; version: string }) => Client;
type NewTransport = new (server: {
  command: string;
  args: string[];
  env: Record<string, string>;
  stderr: 'ignore';
}) => object;

interface Graph {
  readonly entities: readonly unknown[];
}

const FOUND = 20;

export const mcpMemory: ContenderKind = {
  title: 'MCP server-memory',
  isDurable: false,
  // It reads and writes its whole file with each call.
  recordsMax: 1_000,
  open: async (directory) => {
    const { Client } = await importPeer<{ Client: NewClient }>(
      '@modelcontextprotocol/sdk/client/index.js',
    );
    const { StdioClientTransport } = await importPeer<{ StdioClientTransport: NewTransport }>(
      '@modelcontextprotocol/sdk/client/stdio.js',
    );
    const client = new Client({ name: 'bench', version: '1' });
    const program = peerProgram('@modelcontextprotocol/server-memory', 'dist/index.js');
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [program],
        env: { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') },
        stderr: 'ignore',
      }),
    );
    const call = async (name: string, values: object): Promise<unknown> => {
      const { structuredContent } = await client.callTool({ name, arguments: values });
      return structuredContent;
    };
    const create = (records: readonly SampleRecord[]): Promise<unknown> =>
      call('create_entities', { entities: records.map(entityOf) });
    return {
      import: async (records) => {
        await create(records);
      },
      store: async (record) => {
        await create([record]);
      },
      read: (index) => call('open_nodes', { names: [`turn ${String(index)}`] }),
      find: async (word) => {
        const graph = (await call('search_nodes', { query: word })) as Graph;
        return Math.min(FOUND, graph.entities.length);
      },
      close: () => client.close(),
    };
  },
};

function entityOf({ text, tag, turn }: SampleRecord) {
  return { name: `turn ${String(turn)}`, entityType: tag, observations: [text] };
}
