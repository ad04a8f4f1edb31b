/** What the memory tool promises beyond its answers, on an embedded agent and over HTTP. */
import { describe, expect, test } from 'vitest';
import { AgentkeepMemory } from '../src/index.js';
import { opened, scope, ways } from './two-ways.js';

const create = (path: string, file_text = 'text') =>
  ({ command: 'create', path: `/memories/${path}`, file_text }) as const;
const rename = (from: string, to: string) =>
  ({ command: 'rename', old_path: `/memories/${from}`, new_path: `/memories/${to}` }) as const;
const remove = (path: string) => ({ command: 'delete', path: `/memories/${path}` }) as const;
const view = (path = '') => ({ command: 'view', path: `/memories${path}` }) as const;

describe.each(ways)('the memory tool, %s', (way) => {
  test('inserts by several agents at once are all there', async () => {
    await using desk = await opened(way);
    const tools = ['x', 'y', 'z'].map((name) => ({
      name,
      memory: new AgentkeepMemory({ agent: desk.agent, scope }),
    }));
    const path = '/memories/log.md';
    await tools[0]!.memory.execute(create('log.md', 'begin'));
    await Promise.all(
      tools.map(async ({ name, memory }) => {
        for (let at = 0; at < 10; at += 1) {
          const insert_text = `${name}${at}`;
          await memory.execute({ command: 'insert', path, insert_line: 1, insert_text });
        }
      }),
    );
    const record = await desk.agent.memory.in(scope).read({ name: 'memories/log.md' });
    const lines = record?.payload.content.primary.split('\n') ?? [];
    expect(lines).toHaveLength(31);
    expect(new Set(lines).size).toBe(31);
    expect(record?.payload.source).toBe('model');
  });

  test('of several agents that create one file, one succeeds', async () => {
    await using desk = await opened(way);
    const memory = new AgentkeepMemory({ agent: desk.agent, scope });
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, at) => memory.execute(create('deep/down/a.md', `${at}`))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect(String(result.reason)).toBe('Error: File /memories/deep/down/a.md already exists');
    }
  });

  test('no file is left outside a directory that is deleted or renamed at the same time', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    const memory = new AgentkeepMemory({ agent, scope });
    for (let round = 0; round < 5; round += 1) {
      await memory.execute(create(`dir/old-${round}.md`));
      const files = Array.from({ length: 4 }, (_, at) => `dir/${round}-${at}.md`);
      const ending = round % 2 === 0 ? remove('dir') : rename('dir', `moved-${round}`);
      const settled = await Promise.allSettled([
        ...files.map((file) => memory.execute(create(file))),
        memory.execute(ending),
      ]);
      expect(settled.map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'));
      const names: string[] = [];
      for await (const { record } of agent.memory.in(scope).search({ name_prefix: 'memories/' })) {
        if (record.name !== undefined) names.push(record.name);
      }
      const below = names.filter((name) => name.startsWith('memories/dir/'));
      if (below.length > 0) expect(names).toContain('memories/dir');
      await memory.execute(remove('dir')).catch(() => undefined);
    }
  });

  test('a directory is renamed with everything in it, in one commit', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    const memory = new AgentkeepMemory({ agent, scope });
    const files = Array.from({ length: 90 }, (_, at) => `from/${at % 3}/${at}.md`);
    for (const file of files) await memory.execute(create(file, `text of ${file}`));
    const { next_after } = await agent.memory.in(scope).changesPage({ after: 'latest' });
    await memory.execute(rename('from', 'to/here'));
    for (const file of files) {
      const record = await agent.memory
        .in(scope)
        .read({ name: `memories/to/here/${file.slice(5)}` });
      expect(record?.payload.content.primary).toBe(`text of ${file}`);
    }
    const { changes } = await agent.memory.in(scope).changesPage({ after: next_after, limit: 256 });
    expect(new Set(changes.map((change) => change.committed_at_millis)).size).toBe(1);
    await expect(memory.execute(view('/from'))).rejects.toThrow('does not exist');
  });

  test('a directory with too much in it is not renamed', async () => {
    await using desk = await opened(way);
    const memory = new AgentkeepMemory({ agent: desk.agent, scope });
    for (let at = 0; at < 101; at += 1) {
      const name = `memories/many/${at}.md`;
      await desk.agent.memory.in(scope).put(name, {
        episode_type: 'Observation',
        content: { primary: 'text' },
        event_time_millis: 0,
      });
    }
    await expect(memory.execute(rename('many', 'other'))).rejects.toThrow('more than 100');
    expect(await memory.execute(view('/many'))).toContain('/memories/many/100.md');
    expect(await memory.execute(view())).toContain('4K\t/memories/many/\n');
    await memory.execute(remove('many'));
    await expect(memory.execute(view('/many'))).rejects.toThrow('does not exist');
  });

  test('a large directory is deleted in several commits', async () => {
    await using desk = await opened(way);
    const memory = new AgentkeepMemory({ agent: desk.agent, scope });
    const records = Array.from({ length: 300 }, (_, at) => ({
      type: 'put' as const,
      name: `memories/many/${at}.md`,
      record: {
        episode_type: 'Observation' as const,
        content: { primary: 'text' },
        event_time_millis: 0,
      },
    }));
    await desk.agent.memory.in(scope).batch(records.slice(0, 200));
    await desk.agent.memory.in(scope).batch(records.slice(200));
    await memory.execute(remove('many'));
    expect((await desk.agent.memory.in(scope).queryPage()).records).toEqual([]);
  });

  test('an edit keeps what another program wrote beside the text', async () => {
    await using desk = await opened(way);
    const memory = new AgentkeepMemory({ agent: desk.agent, scope });
    await desk.agent.memory.in(scope).put('memories/ann.md', {
      episode_type: 'Decision',
      content: { primary: 'Prefers tea.', data: { ticket: 7 }, embedding: [1, 2] },
      event_time_millis: 0,
      tags: ['customer'],
    });
    const path = '/memories/ann.md';
    await memory.execute({ command: 'str_replace', path, old_str: 'tea', new_str: 'coffee' });
    const { payload } = (await desk.agent.memory.in(scope).read({ name: 'memories/ann.md' }))!;
    expect(payload).toMatchObject({
      episode_type: 'Decision',
      tags: ['customer'],
      content: { primary: 'Prefers coffee.', data: { ticket: 7 }, embedding: null },
    });
  });

  test('a file can have up to a megabyte', async () => {
    await using desk = await opened(way);
    const memory = new AgentkeepMemory({ agent: desk.agent, scope });
    const text = 'x'.repeat(990_000);
    await memory.execute(create('large.txt', text));
    expect(await memory.execute(view())).toContain('966.8K\t/memories/large.txt');
    const more = memory.execute(create('larger.txt', `${text}${text}`));
    await expect(more).rejects.toThrow('up to 1 MiB');
  });

  test('the largest file is shown whole, and by parts', async () => {
    await using desk = await opened(way);
    const memory = new AgentkeepMemory({ agent: desk.agent, scope });
    const lines = Array.from({ length: 90_000 }, (_, at) => `line ${at + 1}`);
    const text = lines.join('\n').slice(0, 900_000);
    await memory.execute(create('large.txt', text));
    const whole = await memory.execute(view('/large.txt'));
    expect(whole.split('\n')).toHaveLength(text.split('\n').length + 1);
    const part = await memory.execute({ ...view('/large.txt'), view_range: [80_001, 80_002] });
    expect(part.split('\n').slice(1)).toEqual([' 80001\tline 80001', ' 80002\tline 80002']);
  });

  test('paths that leave the memory are refused, and odd characters are kept', async () => {
    await using desk = await opened(way);
    const memory = new AgentkeepMemory({ agent: desk.agent, scope });
    for (const path of ['/memories/../etc/passwd', '/memories/a/../../b', '/memories/..']) {
      await expect(memory.execute({ command: 'view', path })).rejects.toThrow('would escape');
    }
    await expect(memory.execute({ command: 'view', path: '/etc' })).rejects.toThrow('must start');
    await expect(memory.execute(create('a\0b'))).rejects.toThrow('null character');
    await expect(memory.execute(create('x'.repeat(600)))).rejects.toThrow('too long');
    await memory.execute(create('tab\tnew\nline.md'));
    await memory.execute(create('%2e%2e.md'));
    const shown = await memory.execute(view());
    expect(shown).toContain('4B\t/memories/tab\tnew\nline.md');
    expect(shown).toContain('4B\t/memories/%2e%2e.md');
    await desk.agent.memory.in(scope).put('memories/100%.md', {
      episode_type: 'Observation',
      content: { primary: '' },
      event_time_millis: 0,
    });
    expect(await memory.execute(view())).toContain('0B\t/memories/100%.md');
  });

  test('an aborted signal ends a command', async () => {
    await using desk = await opened(way);
    const memory = new AgentkeepMemory({ agent: desk.agent, scope });
    const signal = AbortSignal.abort(new Error('over'));
    await expect(memory.execute(create('a.md'), { signal })).rejects.toThrow('over');
    await expect(memory.execute(view(), { abortSignal: signal })).rejects.toThrow('over');
  });

  test('an unknown command is refused', async () => {
    await using desk = await opened(way);
    const memory = new AgentkeepMemory({ agent: desk.agent, scope });
    const unknown = { command: 'undo' } as unknown as Parameters<typeof memory.execute>[0];
    await expect(memory.execute(unknown)).rejects.toThrow('undo not implemented');
  });
});
