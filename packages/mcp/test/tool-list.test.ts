/** The list of tools: short, without what the connection knows, and of use to its caller. */
import { readFileSync } from 'node:fs';
import { connect } from '@agentkeep/client';
import type { Capability } from '@agentkeep/core';
import { describe, expect, test } from 'vitest';
import { mcpHandler } from '../src/index.js';
import {
  type KeepFixture,
  keepFixture,
  otherScope,
  scope,
  type Way,
  ways,
} from './keep-fixture.js';

interface Listed {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
}

const inScope = '?project_id=p&agent_id=a&visibility=shared';

/** Posts `tools/list`, and returns the message of the answer. */
async function listMessage(
  { authenticate }: Pick<KeepFixture, 'authenticate'>,
  secret: string,
  query = '',
): Promise<string> {
  const { fetch } = mcpHandler({ authenticate });
  const headers = {
    Authorization: `Bearer ${secret}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const url = `http://localhost/mcp${query}`;
  const answer = await (await fetch(new Request(url, { method: 'POST', headers, body }))).text();
  return /^data: (.*)$/m.exec(answer)?.[1] ?? answer;
}

function toolsIn(message: string): readonly Listed[] {
  return (JSON.parse(message) as { readonly result: { readonly tools: readonly Listed[] } }).result
    .tools;
}

async function withFixture(way: Way, run: (fixture: KeepFixture) => Promise<void>): Promise<void> {
  await using fixture = await keepFixture(way);
  await run(fixture);
}

describe.each(ways)('%s', (way) => {
  test.each([
    ['without a scope', '', 20_000],
    ['with a scope', inScope, 14_500],
    ['of a graph', `${inScope}&profile=graph`, 13_000],
  ])('MCP-22 the list of a connection %s is short', (_what, query, bytesMax) =>
    withFixture(way, async (fixture) => {
      const secret = await fixture.issue('helper', [scope, otherScope]);
      expect(Buffer.byteLength(await listMessage(fixture, secret, query))).toBeLessThan(bytesMax);
    }),
  );

  test('MCP-11 a scope is asked for where neither connection nor credential gives one', () =>
    withFixture(way, async (fixture) => {
      const asking = async (secret: string, query?: string): Promise<string[]> =>
        toolsIn(await listMessage(fixture, secret, query))
          .filter(({ inputSchema: { properties, required = [] } }) =>
            ['scope', 'scopes'].some((name) => name in properties || required.includes(name)),
          )
          .map(({ name }) => name);
      const several = await fixture.issue('helper', [scope, otherScope]);
      expect(await asking(several)).toHaveLength(15);
      expect(await asking(several, inScope)).toEqual([]);
      expect(await asking(await fixture.issue('helper'))).toEqual([]);
    }));

  test('MCP-21 lists the tools that the capabilities of the credential are for', () =>
    withFixture(way, async (fixture) => {
      const namesFor = async (held: readonly Capability[]): Promise<string[]> => {
        const secret = await fixture.issue('helper', [scope], held);
        return toolsIn(await listMessage(fixture, secret)).map(({ name }) => name);
      };
      const reading = ['memory_recall', 'memory_get', 'memory_search', 'memory_history'];
      const writing = ['put', 'create', 'update', 'delete', 'batch'].map(
        (each) => `memory_${each}`,
      );
      expect(await namesFor(['tool_read'])).toEqual(['whoami']);
      expect(await namesFor(['memory_read'])).toEqual([...reading, 'whoami']);
      const all = ['memory_remember', ...writing, 'memory_propose', 'whoami'];
      expect(await namesFor(['memory_write'])).toEqual(all);
      expect(await namesFor(['memory_propose'])).toEqual(['memory_propose', 'whoami']);
      expect(await namesFor(['memory_review'])).toEqual(['memory_review', 'whoami']);
      const learning = ['learning_select', 'learning_procedure'];
      expect(await namesFor(['procedure_propose'])).toEqual([
        'learning_propose',
        ...learning,
        'whoami',
      ]);
      expect(await namesFor(['procedure_evaluate'])).toEqual([
        ...learning,
        'learning_evaluate',
        'whoami',
      ]);
    }));
});

test('MCP-21 lists all tools where the credential cannot be read, so that calls give the reason', async () => {
  const unreachable = () => Promise.reject(new TypeError('refused'));
  const agent = connect({
    url: 'http://localhost',
    secret: 'ak1_x',
    fetch: unreachable,
    retry: false,
  });
  const authenticate = () => Promise.resolve(agent);
  expect(toolsIn(await listMessage({ authenticate }, 'ak1_x'))).toHaveLength(17);
});

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

/** The requests of the contract that tools make. */
const requests: Readonly<Record<string, string>> = {
  memory_search: 'SearchRequest',
  memory_put: 'RecordInput',
  memory_create: 'RecordInput',
  memory_update: 'RecordInput',
  memory_batch: 'MemoryBatch',
  learning_propose: 'LearningProposalRequest',
  learning_select: 'LearningSelectRequest',
  learning_procedure: 'LearningReadRequest',
  learning_evaluate: 'LearningEvaluationRequest',
};

const { components } = JSON.parse(
  readFileSync(new URL('../../server/openapi.json', import.meta.url), 'utf8'),
) as { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } };

/** Adds the names of the members that a schema of the contract has, apart from those of records. */
function addMembers(schema: unknown, names: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { $ref, properties = {} } = schema as Schema;
  for (const name of Object.keys(properties)) names.add(name);
  const referred = $ref?.slice('#/components/schemas/'.length);
  if (referred !== undefined && referred !== 'RecordInput')
    addMembers(components.schemas[referred], names);
  for (const each of Object.values(schema)) addMembers(each, names);
}

test.each(Object.entries(requests))('MCP-12 %s names the members of %s', async (tool, request) => {
  await using fixture = await keepFixture('embedded');
  const secret = await fixture.issue('helper', [scope, otherScope]);
  const listed = toolsIn(await listMessage(fixture, secret)).find(({ name }) => name === tool);
  const known = new Set<string>();
  addMembers(components.schemas[request], known);
  known.delete('contract_version');
  const words = new Set(JSON.stringify(listed).match(/\w+/g));
  expect([...known].filter((name) => !words.has(name))).toEqual([]);
});
