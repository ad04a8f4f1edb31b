/** `agentkeep export` and `agentkeep import` on a server that runs. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatgptJson, langgraphJson, mem0Json, writeGraph } from './foreign-files.js';
import { type ServedKeep, servedKeep } from './served-keep.js';

interface Listed {
  readonly name?: string;
  readonly payload: {
    readonly content: { readonly primary: string; readonly secondary: string | null };
    readonly tags: readonly string[];
    readonly event_time_millis: number;
  };
}

async function listed({ run }: ServedKeep): Promise<Listed[]> {
  const out = await run(['memory', 'list', '--json']);
  const lines = out.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Listed);
}

const textsOf = (records: readonly Listed[]): string[] =>
  records.map(({ payload }) => payload.content.primary);

describe('agentkeep export', () => {
  test('CMD-27, CMD-28 writes a file that another installation takes, once', async () => {
    await using served = await servedKeep();
    const { run, attempt, folder } = served;
    await run(['remember', 'Ann prefers short answers.', '--name', 'style']);
    const file = join(folder, 'acme.jsonl');
    const admin = ['--profile', 'admin'];
    expect(await run(['export', '--all', '--history', '--to', file, ...admin])).toMatch(
      /^Wrote \d+ bytes to /,
    );
    const text = readFileSync(file, 'utf8');
    expect(text.split('\n').slice(0, -1)).toHaveLength(4);
    expect(await run(['import', file, ...admin])).toBe('Stored 0 lines, 1 unchanged\n');

    await using empty = await servedKeep();
    const dry = await empty.run(['import', file, '--dry-run', ...admin]);
    expect(dry).toBe('Would store 1 lines, 0 unchanged\n');
    expect(await listed(empty)).toHaveLength(0);
    expect(await empty.run(['import', file, ...admin])).toBe('Stored 1 lines, 0 unchanged\n');
    expect(textsOf(await listed(empty))).toEqual(['Ann prefers short answers.']);
    expect(await empty.run(['import', file, ...admin])).toBe('Stored 0 lines, 1 unchanged\n');

    writeFileSync(file, text.replace('short', 'sharp'));
    const damaged = await attempt(['import', file, '--dry-run', ...admin]);
    expect(damaged.error).toContain('differ from the digest');
    writeFileSync(file, text.slice(0, -40));
    expect((await attempt(['import', file, ...admin])).error).toContain('manifest is missing');
    expect((await attempt(['export', '--all'])).error).toContain('forbidden');
  });

  test('CMD-29 writes Markdown files that come back', async () => {
    await using served = await servedKeep();
    const { run, folder } = served;
    await run(['remember', 'Ann prefers: short "answers".', '--name', 'style/ann', '--tag', 'x']);
    const target = join(folder, 'md');
    expect(await run(['export', '--markdown', target])).toBe(`Wrote 1 files to ${target}\n`);
    const files = join(target, 'p', '_', 'a', 'private', 'helper');
    const [name = ''] = readdirSync(files);
    expect(name).toMatch(/^style-ann~[\da-f]{16}\.md$/);
    expect(readFileSync(join(files, name), 'utf8')).toContain('Ann prefers: short');

    await using empty = await servedKeep();
    const words = ['import', target, '--format', 'markdown'];
    expect(await empty.run(words)).toBe(
      'Imported: 1 new, 0 changed, 0 unchanged\nLeft out: 1 hidden files and folders\n',
    );
    const [record] = await listed(empty);
    expect(record).toMatchObject({
      name: 'style/ann',
      payload: { content: { primary: 'Ann prefers: short "answers".' }, tags: ['x'] },
    });
  });

  test('CMD-29 writes a file for each record whatever its name', async () => {
    await using served = await servedKeep();
    const { run, folder } = served;
    const long = '長'.repeat(30);
    const names = ['.env', '_env', '..', '...', 'A', 'a', `${long}/1`, `${long}/2`, 'con', 'x.'];
    for (const name of names) await run(['remember', `text of ${name}`, '--name', name]);
    const target = join(folder, 'md');
    const said = `Wrote ${names.length} files to ${target}\n`;
    expect(await run(['export', '--markdown', target])).toBe(said);
    const found = () =>
      readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((each) =>
        each.endsWith('.md'),
      );
    const folded = found().map((each) => each.toLowerCase());
    expect(new Set(folded).size).toBe(names.length);

    await run(['memory', 'delete', 'x.', '--yes']);
    await run(['export', '--markdown', target]);
    expect(found()).toHaveLength(names.length - 1);
  });

  test('CMD-29 writes into no folder of others, and through no link', async () => {
    await using served = await servedKeep();
    const { run, attempt, folder } = served;
    await run(['remember', 'Text', '--name', 'a']);
    const others = join(folder, 'notes');
    mkdirSync(others);
    writeFileSync(join(others, 'mine.txt'), 'mine');
    const mixed = await attempt(['export', '--markdown', others]);
    expect(mixed).toMatchObject({ status: 1 });
    expect(mixed.error).toContain('has files that no export wrote');
    symlinkSync(others, join(folder, 'link'));
    const linked = await attempt(['export', '--markdown', join(folder, 'link')]);
    expect(linked.error).toContain('is a link or a file');

    const target = join(folder, 'md');
    await run(['export', '--markdown', target]);
    const private_ = join(target, 'p', '_', 'a', 'private');
    rmSync(private_, { recursive: true });
    symlinkSync(others, private_);
    expect((await attempt(['export', '--markdown', target])).status).toBe(1);
    expect(readdirSync(others)).toEqual(['mine.txt']);
  });
});

describe('agentkeep import', () => {
  /** Imports a file twice. */
  async function importedTwice(format: string, file: string, ...words: string[]) {
    const served = await servedKeep();
    const command = ['import', file, '--format', format, ...words];
    const dry = await served.run([...command, '--dry-run']);
    const out = await served.run(command);
    const records = await listed(served);
    const counts = `${records.length} new, 0 changed, 0 unchanged\n`;
    expect(dry).toContain(`Would import: ${counts}`);
    expect(out).toContain(`Imported: ${counts}`);
    // CMD-30
    const again = await served.run(command);
    expect(again).toContain(`Imported: 0 new, 0 changed, ${records.length} unchanged\n`);
    expect(await listed(served)).toEqual(records);
    await served[Symbol.asyncDispose]();
    return records;
  }

  async function fileWith(name: string, text: string): Promise<string> {
    const served = await servedKeep();
    mkdirSync(served.folder, { recursive: true });
    const file = join(served.folder, '..', `agentkeep-${process.pid}-${name}`);
    writeFileSync(file, text);
    await served[Symbol.asyncDispose]();
    return file;
  }

  test('CMD-31 reads the graph of the MCP reference server', async () => {
    const file = await fileWith('graph.jsonl', '');
    await writeGraph(file);
    const records = await importedTwice('mcp-memory', file);
    expect(textsOf(records).toSorted()).toEqual(['Acme', 'Ann', 'Ann works at Acme']);
    expect(records.find(({ name }) => name === 'graph/entity/Ann')?.payload.content).toMatchObject({
      secondary: 'person',
      data: { observations: ['likes tea', 'lives in Graz'] },
    });
  });

  test('CMD-31 reads memories of mem0', async () => {
    const records = await importedTwice('mem0', await fileWith('mem0.json', mem0Json));
    expect(textsOf(records)).toEqual(['I prefer aisle seats.', 'My sister lives in Graz.']);
    expect(records[0]?.payload.tags).toEqual(['mem0', 'user_id:ann']);
  });

  test('CMD-31 reads items of a store of LangGraph', async () => {
    const records = await importedTwice(
      'langgraph',
      await fileWith('lg.json', await langgraphJson()),
    );
    expect(textsOf(records)).toEqual(['Ann prefers aisle seats.', '{"seat":"12C"}']);
    expect(records[0]?.name).toBe('langgraph/memories/ann/m1');
  });

  test('CMD-31 reads conversations of ChatGPT, without replaced answers', async () => {
    const records = await importedTwice('chatgpt', await fileWith('chat.json', chatgptJson));
    expect(textsOf(records)).toEqual(['Which seat do I prefer?', 'The aisle.']);
    expect(records[0]?.payload).toMatchObject({
      content: { secondary: 'Seats' },
      event_time_millis: 1_700_000_001_250,
      tags: ['chatgpt', 'role:user'],
      source: 'user',
    });
    expect(records[1]?.payload).toMatchObject({ source: 'model' });
  });

  test('CMD-31 reads Markdown with front matter', async () => {
    const block =
      '---\nlabel: human\ndescription: About the person\ntags: [a, "b"]\nlimit: 5000\n---\n';
    const records = await importedTwice('markdown', await fileWith('h.md', `${block}Likes tea.\n`));
    expect(records).toMatchObject([
      {
        name: 'human',
        payload: {
          content: { primary: 'Likes tea.', secondary: 'About the person', data: { limit: 5_000 } },
          tags: ['a', 'b'],
        },
      },
    ]);
  });

  test('CMD-31 reads lines of JSON by a mapping', async () => {
    const line =
      '{"id":"7","body":{"message":"hello"},"at":"2026-01-02T00:00:00Z","labels":["x"]}\n';
    const file = await fileWith('lines.jsonl', line);
    const map = ['text=body.message', 'name=id', 'time=at', 'tags=labels', 'type=kind'];
    const flags = map.flatMap((each) => ['--map', each]);
    const [record] = await importedTwice('json-lines', file, ...flags);
    expect(record).toMatchObject({
      name: '7',
      payload: { content: { primary: 'hello' }, tags: ['x'], event_time_millis: 1_767_312_000_000 },
    });
    await using served = await servedKeep();
    const words = ['import', file, '--format', 'json-lines'];
    expect((await served.attempt(words)).error).toContain('--map text=<path>');
    const missing = await served.attempt([...words, '--map', 'text=nothing']);
    expect(missing.error).toContain('line 1: The line has no text there.');
  });
});
