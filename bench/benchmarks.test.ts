/** Small runs of the benchmarks of whole stores. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditBenchmarks } from './audit.js';
import { changeBenchmarks } from './changes.js';
import { compareBenchmarks } from './compare/index.js';
import { nameOf, type RowName, rows } from './compare/contender.js';
import { exportBenchmarks } from './exports.js';
import { sealingBenchmarks } from './sealing.js';
import { temporaryDirectory } from './fixture.js';
import { erasureBenchmarks } from './erasure.js';
import { httpBenchmarks } from './http.js';
import { learningBenchmarks, learningPlot } from './learning/index.js';
import { loginBenchmarks } from './login.js';
import { memorySearchBenchmarks } from './memory-search.js';
import { nearestBenchmarks } from './nearest.js';
import { recallBenchmarks } from './recall/index.js';
import { readLocomoPlus } from './recall/locomo.js';
import { searchPeersBenchmarks } from './search-peers.js';
import { neighbourBenchmarks } from './neighbours.js';
import { openingBenchmarks } from './opening.js';
import { pauseBenchmarks } from './pauses.js';
import { searchBenchmarks } from './search.js';
import { replicationBenchmarks } from './replication.js';
import { selectionBenchmarks } from './selection.js';
import { snapshotBenchmarks } from './snapshot.js';
import { viewBenchmarks } from './views.js';

test('a snapshot under load', async () => {
  const load = { storeBytes: 500_000, fillerChars: 10_000, writesBefore: 64, writers: 4 };
  const names: string[] = [];
  for await (const { name, figures } of snapshotBenchmarks(load)) {
    names.push(name);
    expect(figures['size_mb']).toBeGreaterThan(0.5);
    expect(figures['writes_per_second_during']).toBeGreaterThan(0);
  }
  expect(names).toEqual(['snapshot, 4 writers']);
});

test('a copy that follows', async () => {
  const load = { callers: [2], commandsPerCaller: 5, records: 40 };
  const names: string[] = [];
  for await (const { name } of replicationBenchmarks(load)) names.push(name);
  expect(names).toEqual([
    'replication, async, 2 callers',
    'replication, acknowledged, 2 callers',
    'replication, 40 records',
  ]);
});

test('exports and imports', async () => {
  const names: string[] = [];
  for await (const { name, figures } of exportBenchmarks({ records: 300 })) {
    names.push(name);
    expect(figures['imported_per_minute']).toBeGreaterThan(0);
  }
  expect(names).toEqual(['exports, 300 records, in memory', 'exports, 300 records, lmdb']);
});

test('an erasure beside writes', async () => {
  const names: string[] = [];
  for await (const { name, figures } of erasureBenchmarks({ records: 200 })) {
    names.push(name);
    expect(figures['records_per_second']).toBeGreaterThan(0);
  }
  expect(names).toEqual(['erasure of a subject with 200 records']);
});

test('queries of the audit log', async () => {
  const found = new Map<string, number | undefined>();
  for await (const reading of auditBenchmarks({ events: 400, users: 2, repeats: 2 })) {
    found.set(reading.name, reading.figures['found']);
  }
  expect(Object.fromEntries(found)).toEqual({
    'audit, recording': undefined,
    'audit query, newest': 100,
    'audit query, by user': 100,
    'audit query, by user, until half way': expect.any(Number) as number,
    'audit query, by a rare action': 0,
    'audit query, by result and time': expect.any(Number) as number,
  });
});

test('reads of an earlier state', async () => {
  const names: string[] = [];
  const load = { records: 300, reads: 20, branches: 2, commands: 64 };
  for await (const { name } of viewBenchmarks(load)) names.push(name);
  expect(names).toContain('search as of, 1 % changed');
});

test('the change feed', async () => {
  const found: Record<string, unknown> = {};
  for await (const { name, figures } of changeBenchmarks({ changes: 300, waits: 3 })) {
    found[name] = figures;
  }
  expect(found).toEqual({
    'changes, pages of 256': { 'changes/s': expect.any(Number) as number, changes: 300 },
    'changes, from the commit to who waits': { median_us: expect.any(Number) as number },
  });
});

test('logins beside commands', async () => {
  const names: string[] = [];
  for await (const { name, figures } of loginBenchmarks({ logins: 4, people: 2, commands: 8 })) {
    names.push(name);
    expect(figures['longest_pause_ms']).toBeGreaterThan(0);
  }
  expect(names).toEqual(['logins alone', 'commands alone', 'logins and commands']);
});

test('searches of memory', async () => {
  const found: [string, number | undefined][] = [];
  for await (const { name, figures } of memorySearchBenchmarks({ sizes: [30], repeats: 1 })) {
    found.push([name, figures['found']]);
  }
  expect(found).toEqual([
    ['search, the last 20 of 30', 20],
    ['search, a frequent word of 30', expect.any(Number)],
    ['search, a rare word of 30', 1],
    ['search, an absent word of 30', 0],
    ['search, a value of metadata of 30', 20],
  ]);
});

test('words beside peers, without the peers', async () => {
  const names: string[] = [];
  const load = { sizes: [1_200], repeats: 1, hasPeers: false };
  for await (const { name, figures } of searchPeersBenchmarks(load)) {
    names.push(name);
    expect(Object.keys(figures)).toEqual(['agentkeep_us', 'agentkeep_cpu_us']);
  }
  expect(names).toHaveLength(4);
});

test('recall of a data set in the form of LoCoMo', async () => {
  await using directory = await temporaryDirectory();
  const turn = (dia_id: string, speaker: string, text: string) => ({ dia_id, speaker, text });
  const sample = {
    sample_id: 'one',
    conversation: {
      speaker_a: 'Ann',
      speaker_b: 'Ben',
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_1: [
        turn('D1:1', 'Ann', 'The blue kite is in the attic.'),
        turn('D1:2', 'Ben', 'I will fetch it.'),
      ],
      session_2_date_time: '9:00 am on 9 May, 2023',
      session_2: [turn('D2:1', 'Ann', 'We flew along the river.')],
    },
    qa: [
      { question: 'Where is the kite?', category: 4, evidence: ['D1:1'] },
      { question: 'Who flew a kite?', category: 1, evidence: ['D1:2; D2:1'] },
      { question: 'What is for lunch?', category: 5, evidence: [] },
    ],
  };
  const finding = { question_id: 'locomo_0_qa1', correct_evidence: ['D1:1', 'D2:1'] };
  const [locomo, audit, locomoPlus] = ['locomo.json', 'errors.json', 'plus.json'].map((name) =>
    join(directory.path, name),
  );
  await writeFile(locomo!, JSON.stringify([sample]));
  await writeFile(audit!, JSON.stringify([finding]));
  const found = new Map<string, Readonly<Record<string, number>>>();
  const cue = {
    relation_type: 'causal',
    cue_dialogue: 'A: The oven broke.\nB: Oh no!',
    trigger_query: 'A: No cake, since the oven is cold.',
  };
  await writeFile(locomoPlus!, JSON.stringify([cue]));
  const [withCue] = await readLocomoPlus(locomoPlus!, locomo!);
  expect(withCue!.turns.map(({ text }) => text)).toContain('Ben: Oh no!');
  expect(withCue!.questions[0]!.text).toBe('Ann: No cake, since the oven is cold.');
  const load = { locomo, audit, locomoPlus, hasPeers: false };
  for await (const { name, figures } of recallBenchmarks(load)) {
    found.set(name, figures);
  }
  const share = 'answered_in_2000_bytes_%';
  expect(found.get('LoCoMo: `recall()`: all')).toMatchObject({
    questions: 2,
    'recall_at_10_%': 100,
  });
  expect(found.get('LoCoMo: `recall()`: without disputed ones')).toMatchObject({ questions: 1 });
  expect(found.get('LoCoMo: `recall()`: multi-hop')).toMatchObject({ questions: 1, [share]: 100 });
  expect(found.get('Locomo-Plus: `recall()`: all')).toMatchObject({
    questions: 1,
    'recall_at_10_%': 100,
  });
  expect(found.size).toBe(7 * 5);
});

test('recall of data sets in the forms of BEAM and MuSiQue', async () => {
  await using directory = await temporaryDirectory();
  const write = async (path: string, document: unknown) => {
    await mkdir(join(directory.path, path, '..'), { recursive: true });
    await writeFile(join(directory.path, path), JSON.stringify(document));
  };
  for (const chat of [1, 2]) {
    const message = (id: number, role: string, content: string) => ({ id, role, content });
    const turns = [
      [message(0, 'user', 'The blue kite is in the attic.'), message(1, 'assistant', 'A kite!')],
      [message(2, 'user', 'We flew along the river.')],
    ];
    await write(`100K/${String(chat)}/chat.json`, [{ turns }]);
    await write(`100K/${String(chat)}/probing_questions/probing_questions.json`, {
      update: [{ question: 'Where is the kite?', source_chat_ids: { first: [0], second: [[2]] } }],
      knowledge_update: [
        {
          question: 'Where is the kite?',
          source_chat_ids: { original_info: [1], updated_info: [0] },
        },
      ],
      none: [{ question: 'What is for lunch?' }],
    });
  }
  const paragraph = (title: string, is_supporting: boolean) => {
    return { title, paragraph_text: 'Of kites.', is_supporting };
  };
  const paragraphs = [paragraph('Kite', true), paragraph('River', false)];
  await write('musique.json', [{ question: 'What is a kite?', paragraphs }]);
  await write('musique_corpus.json', [
    { title: 'River', text: 'Of kites.' },
    { title: 'Kite', text: 'Of kites.' },
  ]);
  const found = new Map<string, Readonly<Record<string, number>>>();
  const [beam, musique] = [join(directory.path, '100K'), join(directory.path, 'musique.json')];
  const load = { beam, musique, half: 'held', hasPeers: false } as const;
  for await (const { name, figures } of recallBenchmarks(load)) found.set(name, figures);
  expect(found.get('BEAM 100K: `recall()`: all')).toMatchObject({
    questions: 2,
    'recall_at_10_%': 75,
  });
  // Both have the word, and the older message is shorter.
  const updates = 'BEAM 100K: `recall()`, older facts';
  const newerFirst = (share: number) => ({ questions: 1, 'newer_first_%': share });
  expect(found.get(`${updates} beside each other`)).toMatchObject(newerFirst(0));
  expect(found.get(`${updates} superseded`)).toMatchObject(newerFirst(100));
  expect(found.get('BEAM 100K, user only: `recall()`: all')).toMatchObject({ questions: 2 });
  expect(found.get('MuSiQue: `recall()`: all')).toMatchObject({ 'recall_at_10_%': 100 });
  expect(found.size).toBe(7 * (2 * 3 + 1) + 2 * 2);
});

test('searches by distance', async () => {
  const names: string[] = [];
  for await (const { name } of nearestBenchmarks({ vectors: 20, dimension: 8, repeats: 1 })) {
    names.push(name);
  }
  expect(names).toEqual(['search, nearest of 20 by 8']);
});

test('cases that learning needs', () => {
  const [reading] = learningBenchmarks([{ baseline: 0.6, difference: 0.3, shared: 0.7 }]);
  const { hoeffding = 0, bernstein = 0, exact = 0, bets = 0, bets_half = 0 } = reading!.figures;
  expect(reading!.name).toBe('learning, 60 % to 90 %, same luck in 70 %');
  // A look at any time costs more cases than one look, and less than the bounds.
  expect(exact).toBeLessThan(bets);
  expect(bets).toBeLessThan(Math.min(hoeffding, bernstein));
  expect(bets_half).toBeLessThan(bets);
  expect(learningPlot([25, 100]).match(/<polyline/g)).toHaveLength(4);
});

test('selection among active procedures', async () => {
  const found = new Map<string, number | undefined>();
  for await (const reading of selectionBenchmarks({ procedures: 20, repeats: 2 })) {
    found.set(reading.name, reading.figures['found']);
  }
  expect(Object.fromEntries(found)).toEqual({
    'procedures, made active': undefined,
    'selection, the best': 1,
    'selection, the last': 1,
    'selection, none fits': 0,
    'selection, the last of its size': 1,
  });
});

test('words among many records', async () => {
  const names: string[] = [];
  for await (const { name, figures } of searchBenchmarks({ records: 300, repeats: 2 })) {
    names.push(name);
    expect(figures['median_ms']).toBeGreaterThan(0);
  }
  expect(names).toEqual(['rare word among 300', 'absent word among 300', 'two letters among 300']);
});

test('a tenant beside a busy one', async () => {
  const load = { small: 50, large: 5, parallel: 4, calls: 10 };
  const names: string[] = [];
  for await (const { name, figures } of neighbourBenchmarks(load)) {
    names.push(name);
    expect(figures['longest_ms']).toBeGreaterThan(0);
  }
  expect(names).toEqual(['neighbour alone', 'neighbour beside scans', 'neighbour beside pages']);
});

test('the rows of the comparison, without the peers', async () => {
  const load = { records: 1_000, rounds: 1, shorten: 200 };
  const found: string[] = [];
  for await (const { name, figures } of compareBenchmarks(load, ['agentkeep'])) {
    expect(figures['agentkeep']).toBeGreaterThan(0);
    found.push(name);
  }
  expect(found).toEqual(Object.keys(rows).map((row) => nameOf(row as RowName)));
});

test('HTTP as it is served', async () => {
  const names: string[] = [];
  for await (const { name, ratio } of httpBenchmarks({ connections: 4, requests: 20 })) {
    names.push(name);
    expect(ratio).toBeGreaterThan(0);
  }
  expect(names).toEqual([
    'HTTP read by id',
    'HTTP read by id, per CPU',
    'HTTP command',
    'HTTP command, per CPU',
    'HTTP read past Hono',
    'HTTP read past Hono, per CPU',
    'HTTP command past Hono',
    'HTTP command past Hono, per CPU',
  ]);
});

test('holds of the event loop', async () => {
  const load = { records: 20, procedures: 4, callers: 4, repeats: 1 };
  const names: string[] = [];
  for await (const { name, figures } of pauseBenchmarks(load)) {
    names.push(name);
    expect(figures['longest_ms']).toBeGreaterThan(0);
  }
  expect(names).toHaveLength(12);
});

test('openings', async () => {
  const names: string[] = [];
  for await (const { name, figures } of openingBenchmarks({ records: [20], processes: 1 })) {
    names.push(name);
    expect(figures['median_ms']).toBeGreaterThan(0);
  }
  expect(names).toEqual([
    'import of core',
    'serve, new directory',
    'opening, 20 records, closed',
    'opening, 20 records, killed',
  ]);
});

test('encryption', async () => {
  const names: string[] = [];
  const load = { connections: 2, requests: 8, records: 4 };
  for await (const { name, ratio } of sealingBenchmarks(load)) {
    names.push(name);
    expect(ratio).toBeGreaterThan(0);
  }
  expect(names).toHaveLength(8);
});
