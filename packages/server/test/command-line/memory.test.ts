/** `agentkeep memory …` on a server that runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { servedKeep } from './served-keep.js';

interface Listed {
  readonly record_id: string;
  readonly name?: string;
  readonly payload: { readonly content: { readonly primary: string }; readonly tags: string[] };
}

function documentsIn(out: string): Listed[] {
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Listed);
}

describe('agentkeep', () => {
  test('CMD-23, CMD-26 remembers a text, recalls it by a question, and says why', async () => {
    await using served = await servedKeep();
    const { run, attempt } = served;
    await run(['remember', 'Ann likes long answers.', '--name', 'style']);
    await run(['remember', 'Ann prefers short answers.', '--name', 'style']);
    await run(['remember', 'Ann lives in Berlin.', '--idempotency-key', 'k']);
    await run(['remember', 'Ann lives in Berlin.', '--idempotency-key', 'k']);
    const table = await run(['recall', 'How should I answer Ann?']);
    expect(table.split('\n')[0]).toMatch(/^TEXT +FOUND BY +EVENT TIME$/);
    expect(table.split('\n')[1]).toMatch(/^Ann prefers short answers\. +answer,Ann /);
    expect(table).toContain('Ann lives in Berlin.');
    const found = documentsIn(await run(['recall', 'Ann', '--json', '--limit', '5']));
    expect(found).toHaveLength(2);
    expect(await run(['recall', 'nothing'])).toBe('None.\n');
    const turns = await run(['recall', 'short', '--around', '1']);
    expect(turns.split('\n').filter((line) => line.startsWith('Ann '))).toHaveLength(2);
    expect(await run(['recall', 'short', '--bytes', '9'])).toBe('None.\n');
    const why = ['memory', 'search', 'short', '--order', 'rarest_words', '--explain', 'style'];
    expect(JSON.parse(await run([...why, '--json']))).toMatchObject({
      ...{ matches: true, place: 1, terms_found: ['short'] },
      conditions: expect.arrayContaining([{ path: 'words', holds: true }]) as unknown,
    });
    const refused = await attempt(['recall', 'Ann', '--limit', '101']);
    // OPR-80
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.error).toContain('at most 100');
  });
});

describe('agentkeep memory', () => {
  test('CMD-13, SUP-1 ends the records that a text supersedes, once', async () => {
    await using served = await servedKeep();
    const { run, answerOf, attempt } = served;
    const told = async (text: string, ...flags: string[]) =>
      (await answerOf(['memory', 'put', text, ...flags])) as Listed & { readonly revision: number };
    const rome = await told('Ann lives in Rome.');
    const bonn = await told('Ann lives in Bonn.');
    const ends = ['--supersedes', rome.record_id, '--supersedes', `${bonn.record_id}@1`];
    await told('Ann lives in Paris.', ...ends);
    const listed = documentsIn(await run(['memory', 'list', '--json']));
    expect(listed.map(({ payload }) => payload.content.primary)).toEqual(['Ann lives in Paris.']);
    const again = await attempt(['memory', 'put', 'x', '--supersedes', `${bonn.record_id}@1`]);
    expect(again).toMatchObject({ status: 1, out: '' });
    const repeated = ['--supersedes', `${listed[0]?.record_id ?? ''}@1`, '--idempotency-key', 'k'];
    expect(await told('Ann lives in Oslo.', ...repeated)).toEqual(
      await told('Ann lives in Oslo.', ...repeated),
    );
    const wrong = await attempt(['memory', 'put', 'x', '--supersedes', 'a@b']);
    expect(wrong.error).toContain('"a@b" is not an id, or id@revision.');
  });

  test('CMD-13, CMD-24, CMD-25 puts, gets, lists, searches and deletes by name and by id', async () => {
    await using served = await servedKeep();
    const { run, answerOf, attempt } = served;
    await run(['memory', 'put', 'The customer prefers short answers.', '--name', 'style']);
    const made = await answerOf(
      ['memory', 'put', '-', '--tag', 'a', '--tag', 'b', '--type', 'Rule'],
      {
        environment: served.environment,
        input: 'Refund below 20 EUR',
      },
    );
    expect(made).toMatchObject({ action: 'created', revision: 1 });
    const { record_id: id } = made as Listed;
    expect(await answerOf(['memory', 'get', id])).toMatchObject({
      payload: {
        episode_type: { Custom: 'Rule' },
        content: { primary: 'Refund below 20 EUR' },
        tags: ['a', 'b'],
      },
    });
    expect(await answerOf(['memory', 'get', 'style'])).toMatchObject({ name: 'style' });
    const terminal = { columns: 160, hasColors: false };
    const table = await run(['memory', 'list'], { terminal });
    const narrow = (
      await run(['memory', 'list'], { terminal: { ...terminal, columns: 80 } })
    ).split('\n');
    expect(narrow[0]).toMatch(/^RECORD +NAME +TYPE +TEXT$/);
    expect(narrow.every(({ length }) => length <= 80)).toBe(true);
    expect(table.split('\n')[0]).toMatch(/^RECORD +NAME +TYPE +EVENT TIME +TAGS +TEXT$/);
    expect(table).toContain('style');
    expect(table).toContain('Refund below 20 EUR');
    expect(documentsIn(await run(['memory', 'list', '--tag', 'a', '--json']))).toHaveLength(1);
    expect(documentsIn(await run(['memory', 'search', 'short answers', '--json']))).toMatchObject([
      { name: 'style' },
    ]);
    const questions: string[] = [];
    const answering = (answer: string) => ({
      ask: (question: string) => {
        questions.push(question);
        return Promise.resolve(answer);
      },
    });
    const kept = await attempt(['memory', 'delete', 'style'], answering(''));
    expect(kept).toMatchObject({ status: 1, error: 'agentkeep: Nothing was deleted.\n' });
    await run(['memory', 'delete', 'style'], answering('y'));
    expect(questions).toEqual(
      Array(2).fill('Delete "The customer prefers short answers."? [y/N] '),
    );
    const { status, error } = await attempt(['memory', 'get', 'style']);
    expect(status).toBe(1);
    expect(error).toContain('There is no record of the name "style" in this scope.');
  });

  test('shows earlier revisions', async () => {
    await using served = await servedKeep();
    const { run, answerOf } = served;
    for (const text of ['first', 'second']) await run(['memory', 'put', text, '--name', 'note']);
    const history = await run(['memory', 'history', 'note']);
    expect(history.split('\n').map((line) => line.split(/ +/)[0])).toEqual([
      'REVISION',
      '2',
      '1',
      '',
    ]);
    expect(await answerOf(['memory', 'get', 'note', '--revision', '1'])).toMatchObject({
      payload: { content: { primary: 'first' } },
    });
  });

  test('CMD-C9 imports a file once, however often it is run, and exports what it imported', async () => {
    await using served = await servedKeep();
    const { run, attempt, folder } = served;
    const file = join(folder, 'notes.jsonl');
    const lines = [
      '{"text":"one","name":"n1"}',
      '',
      '{"text":"two","tags":["x"],"event_time_millis":7}',
    ];
    writeFileSync(file, lines.join('\n'));
    const words = ['memory', 'import', file, '--event-time', '2026-01-01T00:00:00Z'];
    expect(await run(words)).toBe('Imported 2 records\n');
    expect(await run(words)).toBe('Imported 2 records\n');
    const exported = await run(['memory', 'export']);
    expect(exported.trimEnd().split('\n')).toHaveLength(2);
    const scope = ['--project-id', 'p', '--agent-id', 'a', '--visibility', 'private'];
    const again = await run(['memory', 'import', '-', ...scope], {
      environment: served.environment,
      input: exported,
    });
    expect(again).toBe('Imported 2 records\n');
    expect(documentsIn(await run(['memory', 'list', '--json']))).toHaveLength(3);
    writeFileSync(file, '{"text":"one"}\n{"text":\n');
    const { error } = await attempt(words);
    expect(error).toContain('0 records are stored.');
    expect(error).toContain('notes.jsonl, line 2: ');
  });

  test('CMD-C10 takes a batch of a whole import, or nothing of it', async () => {
    await using served = await servedKeep();
    const { run, attempt } = served;
    const { status, error } = await attempt(['memory', 'import', '-'], {
      environment: served.environment,
      input: '{"text":"good","event_time_millis":1}\n{"text":"bad","event_time_millis":"noon"}\n',
    });
    expect(status).toBe(1);
    expect(error).toContain('event_time_millis');
    expect(await run(['memory', 'list'])).toBe('None.\n');
  });

  test('CMD-33 refuses numbers that would change, in files and in flags', async () => {
    await using served = await servedKeep();
    const { run, attempt, environment } = served;
    const number = '1234567890123456789';
    const line = `{"text":"bad","event_time_millis":1,"metadata":{"id":${number}}}`;
    const input = `{"text":"good","event_time_millis":1}\n${line}\n`;
    const { status, error } = await attempt(['memory', 'import', '-'], { environment, input });
    expect([status, error]).toEqual([1, expect.stringContaining(`line 2: The number ${number}`)]);
    expect(await run(['memory', 'list'])).toBe('None.\n');
    const filter = `{"limit":${number}}`;
    const flag = await attempt(['call', 'queryMemory', '--filter', filter]);
    expect(flag.error).toContain(`--filter: The number ${number} would change.`);
    const call = await attempt(['call', 'queryMemory', '--document', '-'], {
      environment,
      input: `{"filter":{"limit":${number}}}`,
    });
    expect(call.error).toContain(`--document: The number ${number} would change.`);
  });

  test('CMD-15 follows the changes of the scope until Ctrl+C', async () => {
    await using served = await servedKeep();
    const interruption = new AbortController();
    let seen = '';
    const following = served.run(['memory', 'follow', '--json'], {
      environment: served.environment,
      interrupted: () => interruption.signal,
      onOut: (text) => {
        seen += text;
      },
    });
    await eventually(async () => {
      await served.run(['memory', 'put', 'something new']);
      expect(seen).toContain('"action":"created"');
    });
    interruption.abort();
    expect(documentsIn(await following).length).toBeGreaterThan(0);
  });

  test('CMD-12 the flags of a scope come before its profile, and are named where it has none', async () => {
    await using served = await servedKeep();
    const { error } = await served.attempt(['memory', 'list', '--profile', 'admin']);
    expect(error).toContain('A scope is needed: --project-id and --agent-id');
    const elsewhere = ['memory', 'list', '--project-id', 'elsewhere', '--agent-id', 'helper'];
    expect((await served.attempt(elsewhere)).error).toContain('forbidden');
    expect((await served.attempt(['memory', 'list'])).status).toBe(0);
  });
});
