/** Runs the example on its sample in every place, and on the whole file if it is available. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../src/answer-questions.js';
import { sampleFile } from '../src/command.js';
import { readDialogues } from '../src/read-dialogues.js';
import { complaintsOf, type ExampleOutcome, runExample } from '../src/run-example.js';
import { type Line, mentions, namesOf, noteCount, readLines } from './naive-search.js';
import { behindApp, inMemory, onDisk, overHttp, type KeepFixture } from './keep-fixtures.js';

const words = ['birthday', 'photo', 'thank you', 'é', 'nobody ever says this'];
const silent = { advance: () => undefined, finish: () => undefined };

const given = process.env['AGENTKEEP_DIALOGUES'];
const beside = new URL('../../../../shared/data/dialogues.jsonl', import.meta.url);
const whole = given ?? fileURLToPath(beside);

type Fixtures = [name: string, open: () => Promise<KeepFixture>][];
const everywhere: Fixtures = [
  ['in memory', inMemory],
  ['on disk', onDisk],
  ['behind the app', behindApp],
  ['over HTTP', overHttp],
];
/** Fixtures of the long runs, as users would run them. */
const embeddedAndServed: Fixtures = [
  ['on disk', onDisk],
  ['over HTTP', overHttp],
];

/** An input file, with its number of turns if known. */
interface TestFile {
  readonly name: string;
  readonly path: string;
  readonly places: Fixtures;
  readonly turns?: number;
}

const sample = { path: fileURLToPath(sampleFile), places: everywhere, turns: 24 };
const wholeFile = { path: whole, places: embeddedAndServed, name: 'the whole file' };
const files: TestFile[] = existsSync(whole)
  ? [
      { ...sample, name: 'the sample' },
      given === undefined ? { ...wholeFile, turns: 5_882 } : wholeFile,
    ]
  : [{ ...sample, name: 'the sample only, as there is no other file of dialogues' }];

async function run(open: () => Promise<KeepFixture>, path: string): Promise<ExampleOutcome> {
  await using opened = await open();
  return await runExample(opened.access, await readDialogues(path), {
    words,
    progress: () => silent,
  });
}

/** Returns the expected answers to the example's questions, in their order. */
function expectedAnswers(lines: readonly Line[]): string[][] {
  const { conversation, session, speaker } = lines[0]!;
  const isFirst = (line: Line): boolean => line.conversation === conversation;
  const isTheirs = (line: Line): boolean => line.session === session && line.speaker === speaker;
  return [
    namesOf(lines, (line) => isFirst(line) && mentions(words[0]!)(line)),
    namesOf(lines, (line) => isFirst(line) && isTheirs(line)),
    ...words.map((word) => namesOf(lines, mentions(word))),
  ];
}

function foundNames({ found }: Answer): string[] {
  return found.map(({ conversation, turn }) => `${conversation} ${turn}`).sort();
}

describe.each(files.map((file) => [file.name, file] as const))('%s', (_name, file) => {
  const { path, places } = file;
  const lines = readLines(path);
  const stored = { turns: lines.length, notes: noteCount(lines) };
  const people = new Set(lines.map((it) => JSON.stringify([it.conversation, it.speaker]))).size;
  const seen: ExampleOutcome['answers'][] = [];

  test.each(places)('%s', async (_name, place) => {
    const outcome = await run(place, path);

    expect(complaintsOf(outcome)).toEqual([]);
    expect(outcome.before).toEqual({ turns: 0, notes: 0 });
    expect(outcome.first).toMatchObject({ stored, commands: stored.turns + stored.notes });
    expect(outcome.second).toMatchObject({ stored, commands: stored.turns + stored.notes });
    expect(outcome.hasSameReceipts).toBe(true);
    expect(outcome.answers.map(foundNames)).toEqual(expectedAnswers(lines));
    // Each conversation has two speakers.
    expect(outcome.trespasses.map(({ leaks, outcomes }) => ({ leaks, outcomes }))).toEqual([
      { leaks: 0, outcomes: { record_not_found: people } },
      { leaks: 0, outcomes: { nothing: people } },
      { leaks: 0, outcomes: { forbidden: people * (people - 2) } },
      { leaks: 0, outcomes: { forbidden: people } },
    ]);
    seen.push(outcome.answers);
  });

  test('has the expected number of turns', () => {
    expect(lines).toHaveLength(file.turns ?? lines.length);
  });

  test('gives the same answers everywhere', () => {
    const [first, ...others] = seen.map((answers) => answers.map(({ found }) => found));
    expect(others).toHaveLength(places.length - 1);
    for (const other of others) expect(other).toEqual(first);
  });
});
