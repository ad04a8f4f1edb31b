/** A refused call names the argument, what was expected, and the name that was probably meant. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { mcpHandler } from '../src/index.js';
import { connectClient } from './clients.js';
import { keepFixture, otherScope, scope, ways } from './keep-fixture.js';
import { loopback } from './loopback.js';

const record = { content: { primary: 'Tea.' } };
const required = 'expected a value, since this member is required.';
const advice = 'Correct the arguments and call again.';

const cases: readonly (readonly [
  tool: string,
  given: Record<string, unknown>,
  first: string,
  others?: readonly string[],
])[] = [
  [
    'memory_remember',
    { scope, txt: 'Tea.' },
    '`txt` (and 1 more): expected no such member (did you mean `text`?).',
    ['text: a value, since this member is required'],
  ],
  [
    'memory_recall',
    { scope, query: 'tea' },
    '`query` (and 1 more): expected no such member (it has: scope, question, limit, bytes, around).',
    ['question: a value, since this member is required'],
  ],
  [
    'memory_recall',
    { scope, question: 'tea', limit: 0 },
    '`limit`: expected an integer from 1 to 100.',
  ],
  ['memory_recall', { scope, question: 7 }, '`question`: expected a string.'],
  ['memory_recall', { scope, question: null }, `\`question\`: ${required}`],
  [
    'memory_recall',
    { scope: { ...scope, visibility: 'public' }, question: 'tea' },
    '`scope.visibility`: expected "private" or "shared".',
  ],
  [
    'memory_recall',
    { scope: { ...scope, projectId: 'p' }, question: 'tea' },
    '`scope.projectId`: expected no such member (did you mean `project_id`?).',
  ],
  ['memory_remember', { scope, text: 'Tea.', metadata: 'x' }, '`metadata`: expected an object.'],
  ['memory_remember', { scope, text: 'Tea.', tags: ['a', 7] }, '`tags[1]`: expected a string.'],
  [
    'memory_remember',
    { scope, text: 'Tea.', name: ' ' },
    '`name`: expected 1 to 512 UTF-8 bytes, not blank, without control characters.',
  ],
  [
    'memory_put',
    { scope, name: 'n', record, expectedRevision: 4 },
    '`expectedRevision`: expected no such member (did you mean `expected_revision`?).',
  ],
  [
    'memory_create',
    { scope, record: { content: { primry: 'Tea.', primary: 'Tea.' } } },
    '`record.content.primry`: expected no such member (did you mean `primary`?).',
  ],
  [
    'memory_create',
    { scope, record: { ...record, episode_type: 'Note' } },
    '`record.episode_type`: expected one of Conversation, TaskExecution,',
  ],
  ['memory_get', { scope, record_id: 'ann' }, '`record_id`: expected a UUID with hyphens.'],
  ['memory_history', { scope, record_id: 'ann' }, '`record_id`: expected a UUID with hyphens.'],
  ['memory_get', { scope }, 'The input: expected either name or record_id.'],
  [
    'memory_search',
    { scopes: [scope], filter: { tag: 'x' } },
    '`filter.tag`: expected no such member (did you mean `tags`?).',
  ],
  [
    'memory_search',
    { scopes: [scope], filter: { tags: { al: ['x'] } } },
    '`filter.tags.al`: expected no such member.',
  ],
  [
    'memory_batch',
    { scope, commands: [{ type: 'put', record }] },
    `\`commands[0].name\`: ${required}`,
  ],
  [
    'memory_create',
    { record },
    '`scope`: expected a scope, since this call and connection have none.',
  ],
  ['learning_procedure', { scope, procedure_id: ' ' }, '`procedure_id`: expected '],
  ['whoami', { ['x'.repeat(65)]: 1 }, 'The input: expected known members only.'],
];

describe.each(ways)('%s', (way) => {
  test('MCP-23 a wrong argument is named', async () => {
    await using fixture = await keepFixture(way);
    const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
    await using server = await loopback(fetch);
    const secret = await fixture.issue('helper', [scope, otherScope]);
    await using client = await connectClient('SDK v1', { url: `${server.url}/mcp`, secret });
    for (const [tool, given, first, others = []] of cases) {
      const { isError, content } = await client.call(tool, given);
      const [message, ...more] = (content[0]?.text ?? '').split('\n');
      expect
        .soft([isError, message])
        .toEqual([true, expect.stringContaining(`invalid_request: ${first}`)]);
      expect.soft(more).toEqual(others);
    }
    const many = Array.from({ length: 20_000 }, () => 7);
    const flood = await client.call('memory_remember', { scope, text: 'Tea.', tags: many });
    expect(flood._meta?.['agentkeep/error']).toMatchObject({ members: { length: 16 } });
    const absent = await client.call('memory_get', { scope, record_id: randomUUID() });
    expect(absent.content[0]?.text).toMatch(/^record_not_found: /);
    expect(absent.content[0]?.text).not.toContain(advice);
  });

  test('MCP-23 an unknown tool is refused with the nearest name', async () => {
    await using fixture = await keepFixture(way);
    const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
    await using server = await loopback(fetch);
    const secret = await fixture.issue('helper');
    await using client = await connectClient('SDK v1', { url: `${server.url}/mcp`, secret });
    await expect(client.call('memory_recal')).rejects.toThrow('Did you mean memory_recall?');
    await expect(client.call('x'.repeat(100_000))).rejects.toThrow('There is no such tool.');
    await expect(client.call('forecast')).rejects.toThrow('tools/list has those that there are.');
  });
});
