/** The profile graph against the reference memory server, and in a race. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallResult, connectClient, type ServerTarget, type TestClient } from './clients.js';
import { type GraphCall, graphCall } from './graph-commands.js';
import { type Way, ways } from './keep-fixture.js';
import { served, type Served, stdioProgram } from './served.js';

const require = createRequire(import.meta.url);

const nothing: GraphCall = { tool: 'read_graph', given: {} };
const deletions = /^delete_/;

/** Returns what programs see of an answer. Other words of errors and deletions are our own. */
function seen({ tool }: GraphCall, { isError, structuredContent, content }: CallResult): unknown {
  const text = content.map((part) => part.text ?? '').join('');
  if (isError === true) return /Entity with name .* not found/su.exec(text)?.[0] ?? 'error';
  if (!deletions.test(tool)) return [structuredContent, JSON.parse(text)];
  const { success, message } = structuredContent as { success: boolean; message: string };
  return [success, message === text];
}

/** Takes everything out of a graph. */
async function clear(client: TestClient): Promise<void> {
  const { structuredContent } = await client.call(nothing.tool);
  const { entities, relations } = structuredContent as {
    readonly entities: readonly { readonly name: string }[];
    readonly relations: readonly object[];
  };
  await client.call('delete_relations', { relations });
  await client.call('delete_entities', { entityNames: entities.map(({ name }) => name) });
}

let folder = '';
let reference: TestClient;

/** The reference server, with its file in a folder of its own. */
function referencePlace(): ServerTarget {
  const program = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');
  return {
    command: [process.execPath, program],
    env: { PATH: process.env['PATH'] ?? '', MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentkeep-mcp-'));
  reference = await connectClient('SDK v1', referencePlace());
});

afterAll(async () => {
  await reference[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Connects two clients of one graph. Embedded, both are of one process. */
async function twoClients(way: Way, server: Served): Promise<[TestClient, TestClient]> {
  if (way === 'embedded') {
    const secret = await server.fixture.issue('helper');
    const url = `${server.url}/mcp?profile=graph&project_id=p&agent_id=a&visibility=shared`;
    const place = { url, secret };
    return [await connectClient('v2 pinned', place), await connectClient('SDK v1', place)];
  }
  const target = await stdioProgram('HTTP', server, 'graph');
  return [await connectClient('v2 pinned', target), await connectClient('SDK v1', target)];
}

describe.each(ways)('%s', (way) => {
  let server: Served;
  let clients: [TestClient, TestClient];

  beforeAll(async () => {
    server = await served();
    clients = await twoClients(way, server);
  });

  afterAll(async () => {
    for (const client of clients) await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test('MCP-15 lists the tools of the reference server, with the same members', async () => {
    const shapeOf = async (client: TestClient): Promise<object> =>
      Object.fromEntries(
        (await client.tools()).map(({ name, inputSchema, outputSchema }) => [
          name,
          [membersOf(inputSchema), membersOf(outputSchema ?? {})],
        ]),
      );
    expect(await shapeOf(clients[0])).toEqual(await shapeOf(reference));
  });

  test('answers random calls as the reference server does', async () => {
    const calls = fc.array(graphCall, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(calls, async (all) => {
        const [client] = clients;
        await clear(client);
        await clear(reference);
        for (const call of [...all, nothing]) {
          const expected = seen(call, await reference.call(call.tool, call.given));
          expect(seen(call, await client.call(call.tool, call.given)), call.tool).toEqual(expected);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('loses nothing when two programs change one graph at once', async () => {
    const [one, other] = clients;
    await clear(one);
    await one.call('create_entities', {
      entities: [{ name: 'shared', entityType: 'thing', observations: [] }],
    });
    const facts = Array.from({ length: 12 }, (_, index) => `fact ${index}`);
    const answers = await Promise.all(
      facts.map((fact, index) => {
        const client = index % 2 === 0 ? one : other;
        const observations = [{ entityName: 'shared', contents: [fact] }];
        return client.call('add_observations', { observations });
      }),
    );
    expect(answers.filter(({ isError }) => isError === true)).toEqual([]);
    const made = await Promise.all(
      [one, other].map((client) =>
        client.call('create_entities', {
          entities: [{ name: 'once', entityType: 'thing', observations: [] }],
        }),
      ),
    );
    expect(made.flatMap((each) => (each.structuredContent as Entities).entities)).toHaveLength(1);
    const found = await other.call('open_nodes', { names: ['shared'] });
    const [entity] = (found.structuredContent as Entities).entities;
    expect([...(entity?.observations ?? [])].sort()).toEqual([...facts].sort());
  });
});

interface Entities {
  readonly entities: readonly { readonly observations: readonly string[] }[];
}

/** Returns the members of a schema with their types, without words about them. */
function membersOf(schema: Readonly<Record<string, unknown>>): unknown {
  const { type, items, properties } = schema as {
    readonly type?: string;
    readonly items?: Readonly<Record<string, unknown>>;
    readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  if (items !== undefined) return [membersOf(items)];
  if (properties === undefined) return type;
  const members = Object.entries(properties).map(
    ([name, each]) => [name, membersOf(each)] as const,
  );
  return Object.fromEntries(members);
}
