/** What an import of another project's files stores, refuses and leaves out. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type ServedKeep, servedKeep } from './served-keep.js';

interface Listed {
  readonly name: string;
  readonly revision: number;
  readonly payload: {
    readonly content: {
      readonly primary: string;
      readonly secondary: string | null;
      readonly data: unknown;
    };
    readonly tags: readonly string[];
    readonly event_time_millis: number;
    readonly valid_until_millis: number | null;
  };
}

interface Imported {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: readonly { readonly place: string; readonly reason: string }[];
  readonly left_out: Readonly<Record<string, number>>;
}

/** Imports a file by its text, and returns the answer and the exit status. */
async function imported(served: ServedKeep, format: string, text: string, ...flags: string[]) {
  const file = join(served.folder, 'given');
  writeFileSync(file, text);
  return importedFrom(served, format, file, ...flags);
}

async function importedFrom(served: ServedKeep, format: string, path: string, ...flags: string[]) {
  const run = await served.attempt(['import', path, '--format', format, '--json', ...flags]);
  return { ...(JSON.parse(run.out) as Imported), status: run.status, error: run.error };
}

async function listed({ run }: ServedKeep): Promise<Map<string, Listed>> {
  const out = await run(['memory', 'list', '--json', '--limit', '1000']);
  const records = out.split('\n').filter((line) => line !== '');
  const parsed = records.map((line) => JSON.parse(line) as Listed);
  return new Map(parsed.map((record) => [record.name, record]));
}

const mem0 = (...results: readonly object[]): string => JSON.stringify({ results });
const MAP = ['--map', 'text=t', '--map', 'name=id', '--map', 'time=at', '--map', 'data=d'];

test('CMD-30 makes records what the file says, also after a delete and an other file', async () => {
  await using served = await servedKeep();
  const [a, b] = ['A', 'B'].map((memory) => mem0({ id: 'r', memory }));
  const said = async (text = '') => {
    const { created, changed, unchanged, status } = await imported(served, 'mem0', text);
    return { created, changed, unchanged, status };
  };
  expect(await said(a)).toEqual({ created: 1, changed: 0, unchanged: 0, status: 0 });
  expect(await said(b)).toEqual({ created: 0, changed: 1, unchanged: 0, status: 0 });
  expect(await said(a)).toEqual({ created: 0, changed: 1, unchanged: 0, status: 0 });
  expect(await said(a)).toEqual({ created: 0, changed: 0, unchanged: 1, status: 0 });
  await served.run(['memory', 'delete', 'mem0/r', '--yes']);
  expect(await imported(served, 'mem0', a ?? '', '--dry-run')).toMatchObject({ created: 1 });
  expect(await said(a)).toEqual({ created: 1, changed: 0, unchanged: 0, status: 0 });
  expect((await listed(served)).get('mem0/r')?.payload.content.primary).toBe('A');
});

test('CMD-30 of two lines with one name the later counts, and equal lines without one stay two', async () => {
  await using served = await servedKeep();
  const lines = ['{"t":"first","id":"x"}', '{"t":"second","id":"x"}', '{"t":"n"}', '{"t":"n"}'];
  const text = lines.join('\n');
  expect(await imported(served, 'json-lines', text, ...MAP)).toMatchObject({ created: 3 });
  const records = await listed(served);
  expect(records.size).toBe(3);
  expect(records.get('x')?.payload.content.primary).toBe('second');
});

test('CMD-33 stores what it can, and lists the rest with place and reason', async () => {
  await using served = await servedKeep();
  const lines = [
    '{"t":"before","id":"1"}',
    JSON.stringify({ t: 'x'.repeat(1_200_000), id: '2' }),
    '{"t":"half \\ud83d","id":"3"}',
    '{"t":"","id":"4"}',
    '{"t":"torn',
    '{"t":"large","id":"6","d":{"v":1234567890123456789}}',
    '{"t":"chapter","id":"7","at":"Chapter 5"}',
    '{"t":"no such day","id":"8","at":"2035-02-31"}',
    '{"t":"beyond","id":"9","d":1e400}',
    '{"t":"after","id":"10","at":"1700000000","d":{"v":26278409323908150}}',
  ];
  const first = await imported(served, 'json-lines', lines.join('\n'), ...MAP);
  expect(first).toMatchObject({ created: 2, status: 1 });
  expect(first.error).toContain('8 items were refused');
  expect(first.refused.map(({ place }) => /line \d+$/.exec(place)?.[0]).toSorted()).toEqual(
    [2, 3, 4, 5, 6, 7, 8, 9].map((line) => `line ${line}`),
  );
  for (const { reason } of first.refused) expect(reason).not.toBe('');
  const records = await listed(served);
  expect([...records.keys()].toSorted()).toEqual(['1', '10']);
  expect(records.get('10')?.payload.event_time_millis).toBe(1_700_000_000_000);
  const mended = lines.map((line) => line.replace('"Chapter 5"', '"2026-01-31T10:00:00+02:00"'));
  expect(await imported(served, 'json-lines', mended.join('\n'), ...MAP)).toMatchObject({
    created: 1,
    unchanged: 2,
  });
  expect((await listed(served)).get('7')?.payload.event_time_millis).toBe(Date.UTC(2026, 0, 31, 8));
});

test('CMD-33 a graph keeps all observations of an entity, and passes over torn lines', async () => {
  await using served = await servedKeep();
  const name = '名'.repeat(50);
  const text = [
    JSON.stringify({ type: 'entity', name, entityType: 'x', observations: ['one'] }),
    '{"type":"entity","name":"torn',
    JSON.stringify({ type: 'entity', name, observations: [{ content: 'two' }, { a: 1 }, 'one'] }),
    JSON.stringify({ type: 'relation', from: name, to: name, relationType: 'is' }),
  ].join('\n');
  const outcome = await imported(served, 'mcp-memory', text);
  expect(outcome).toMatchObject({ created: 2, status: 1 });
  expect(outcome.refused[0]?.place).toContain('line 2');
  const entity = [...(await listed(served)).values()].find(({ payload }) =>
    payload.tags.includes('graph/entity'),
  );
  expect(entity?.payload.content.data).toEqual({
    name,
    entityType: 'x',
    observations: ['one', 'two', '{"a":1}'],
  });
});

test('CMD-34 memories of mem0 end when they ended there', async () => {
  await using served = await servedKeep();
  const text = mem0(
    { id: 'ended', memory: 'a', expiration_date: '2025-01-31' },
    { id: 'in', memory: 'b', metadata: { expiration_date: '2035-01-31' } },
    { id: 'no zone', memory: 'c', created_at: '2025-06-01 12:00:00' },
    { id: 'none', memory: '' },
  );
  expect(await imported(served, 'mem0', text)).toMatchObject({ created: 3, status: 1 });
  const records = await listed(served);
  const endOf = (id: string) => records.get(`mem0/${id}`)?.payload.valid_until_millis;
  expect(endOf('in')).toBe(Date.UTC(2035, 1, 1));
  expect(endOf('ended') ?? Date.UTC(2025, 1, 1)).toBe(Date.UTC(2025, 1, 1));
  expect(records.get('mem0/no zone')?.payload.event_time_millis).toBe(Date.UTC(2025, 5, 1, 12));
});

/** A conversation of messages in one line, each with its content. */
function conversation(id: string, contents: readonly object[], current?: string): object {
  const nodes = contents.map((content, at) => {
    const message = { id: `${id}-m${at}`, author: { role: 'user' }, create_time: at + 1, content };
    const parent = at === 0 ? null : `${id}-${at - 1}`;
    return [`${id}-${at}`, { id: `${id}-${at}`, parent, message }];
  });
  return {
    title: id,
    conversation_id: id,
    current_node: current ?? `${id}-${contents.length - 1}`,
    mapping: Object.fromEntries(nodes) as object,
  };
}

const said = (text: string) => ({ content_type: 'text', parts: [text] });

test('CMD-34 ChatGPT: spoken messages, results of tools, and a current node that is missing', async () => {
  await using served = await servedKeep();
  const spoken = {
    content_type: 'multimodal_text',
    parts: [
      { content_type: 'audio_transcription', text: 'Where is the bike?' },
      { content_type: 'audio_asset_pointer' },
    ],
  };
  const all = [
    conversation('voice', [spoken, said('Behind the library.')]),
    conversation('tools', [
      { content_type: 'execution_output', text: 'exit 0' },
      { content_type: 'tether_browsing_display', result: 'a page' },
      { content_type: 'thoughts', thoughts: [{ content: 'hm' }] },
    ]),
    conversation('dangling', [said('kept')], 'gone'),
    { title: 'empty', conversation_id: 'empty', mapping: {} },
  ];
  const outcome = await imported(served, 'chatgpt', JSON.stringify(all));
  const texts = [...(await listed(served)).values()].map(({ payload }) => payload.content.primary);
  expect(texts.toSorted()).toEqual(
    ['Where is the bike?', 'Behind the library.', 'exit 0', 'a page', 'kept'].toSorted(),
  );
  expect(outcome.left_out).toEqual({ 'recordings of voices': 1, 'thoughts of models': 1 });
  expect(outcome.refused).toMatchObject([{ reason: 'The conversation has no messages.' }]);
  expect(outcome.refused[0]?.place).toContain('conversation empty');
});

test('CMD-34 ChatGPT: numbered files, in a folder and in an archive', async () => {
  await using served = await servedKeep();
  const folder = join(served.folder, 'chat');
  mkdirSync(folder);
  const files = {
    'conversations-000.json': JSON.stringify([conversation('a', [said('one')])]),
    'conversations-001.json': JSON.stringify([conversation('b', [said('two')])]),
    'user.json': '{"id":"u"}',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  expect(await importedFrom(served, 'chatgpt', folder)).toMatchObject({ created: 2, status: 0 });
  const bytes = Object.entries(files).map(([name, text]) => [
    `export/${name}`,
    new TextEncoder().encode(text),
  ]);
  const archive = join(served.folder, 'chat.zip');
  writeFileSync(archive, zipSync(Object.fromEntries(bytes) as Record<string, Uint8Array>));
  expect(await importedFrom(served, 'chatgpt', archive)).toMatchObject({ unchanged: 2, status: 0 });
  writeFileSync(archive, 'no archive');
  const damaged = await served.attempt(['import', archive, '--format', 'chatgpt']);
  expect(damaged.error).toContain("can't be unpacked");
});

test('CMD-34 agent files of Letta: blocks and messages', async () => {
  await using served = await servedKeep();
  const messages = [
    {
      id: 'm1',
      role: 'user',
      content: [{ type: 'text', text: 'Hello' }],
      created_at: '2026-01-02T03:04:05+00:00',
    },
    { id: 'm2', role: 'system', content: 'You are' },
    { id: 'm3', role: 'assistant', content: 'Welcome' },
  ];
  const file = {
    agents: [{ id: 'agent-0', name: 'desk', messages, block_ids: ['block-0'] }],
    blocks: [{ id: 'block-0', label: 'human', value: 'Likes tea.', description: 'The person' }],
    tools: [{ name: 't' }, { name: 'u' }],
  };
  const outcome = await imported(served, 'letta', JSON.stringify(file));
  expect(outcome).toMatchObject({ created: 3, refused: [], status: 0 });
  expect(outcome.left_out).toEqual({ 'messages of role system': 1, tools: 2 });
  const records = await listed(served);
  expect(records.get('letta/message/desk/m1')?.payload).toMatchObject({ source: 'user' });
  expect(records.get('letta/message/desk/m3')?.payload).toMatchObject({ source: 'model' });
  const block = records.get('letta/block/block-0');
  expect(block?.payload).not.toHaveProperty('source');
  expect(block?.payload.content).toMatchObject({ primary: 'Likes tea.', secondary: 'The person' });
});

test('CMD-34 a folder of Obsidian, without its own files and links to elsewhere', async () => {
  await using served = await servedKeep();
  const vault = join(served.folder, 'vault');
  for (const each of ['.obsidian', '.trash', 'Daily']) {
    mkdirSync(join(vault, each), { recursive: true });
  }
  const files: Readonly<Record<string, string>> = {
    '.obsidian/app.md': 'settings',
    '.trash/old.md': 'gone',
    'Daily/Note.MD':
      '\u{feff}---\ntags: work, home\nzip: 01067\ncreated_at: 2026-01-31\n---\nA note\n',
    'bad.md': '---\nname: "open\n---\nBody\n',
    'rule.md': '---\nA text that begins with a rule\n---\nand goes on\n',
    'picture.png': 'x',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(vault, name), text);
  writeFileSync(join(served.folder, 'secret.md'), 'elsewhere');
  symlinkSync(join(served.folder, 'secret.md'), join(vault, 'out.md'));
  symlinkSync(join(vault, 'rule.md'), join(vault, 'within.md'));
  const outcome = await importedFrom(served, 'markdown', vault);
  const records = await listed(served);
  expect([...records.keys()].toSorted()).toEqual(['Daily/Note', 'rule', 'within']);
  expect(records.get('Daily/Note')?.payload).toMatchObject({
    content: { primary: 'A note', data: { zip: '01067' } },
    tags: ['work', 'home'],
    event_time_millis: Date.UTC(2026, 0, 31),
  });
  expect(records.get('rule')?.payload.content.primary).toContain('begins with a rule');
  expect(outcome.left_out).toEqual({
    'hidden files and folders': 2,
    'files of other types': 1,
    'links out of the folder': 1,
  });
  expect(outcome.refused[0]?.place).toContain('bad.md');
  expect(outcome.refused[0]?.reason).toContain('line 3');
});
