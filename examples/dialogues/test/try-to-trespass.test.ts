/** The example detects leaked and duplicated records. */
import type { Agent } from '@agentkeep/core';
import { expect, test } from 'vitest';
import { Cast } from '../src/cast.js';
import { sampleFile } from '../src/command.js';
import { readDialogues } from '../src/read-dialogues.js';
import { reportOf } from '../src/report.js';
import { complaintsOf, runExample } from '../src/run-example.js';
import { intentsOf, storeAll } from '../src/store-dialogues.js';
import { tryToTrespass } from '../src/try-to-trespass.js';
import { inMemory } from './keep-fixtures.js';

const silent = { advance: () => undefined, finish: () => undefined };

/** Uses one speaker's agent for all, like a runtime that mixes up its agents. */
class ConfusedCast extends Cast {
  override speaker(): Agent {
    return super.speaker('allotment', 'Ines');
  }
}

test('reports mixed-up agents as leaks', async () => {
  await using fixture = await inMemory();
  const conversations = (await readDialogues(sampleFile)).slice(0, 1);
  await using cast = new Cast(fixture.access);
  await cast.issueFor(conversations);
  await storeAll(cast, intentsOf(conversations), silent);
  await using confused = new ConfusedCast(fixture.access);
  await confused.issueFor(conversations);
  const [reads, searches] = await tryToTrespass(confused, conversations);
  expect(reads).toMatchObject({ attempts: 2, leaks: 2, outcomes: { records: 2 } });
  expect(searches).toMatchObject({ attempts: 2, leaks: 1, outcomes: { nothing: 1, records: 1 } });
});

test('lists each fault at the end of the report', async () => {
  await using fixture = await inMemory();
  const options = { words: [], progress: () => silent };
  const sound = await runExample(fixture.access, await readDialogues(sampleFile), options);
  expect(complaintsOf(sound)).toEqual([]);

  const doubled = { ...sound.second, stored: { turns: 48, notes: 20 } };
  const leak = { label: 'peeking', attempts: 1, leaks: 1, outcomes: { records: 1 } };
  const faulty = { ...sound, second: doubled, hasSameReceipts: false, trespasses: [leak] };
  const complaints = [
    'The second pass changed what is stored.',
    'The second pass got other receipts than the first.',
    'Records were given away: peeking.',
  ];
  expect(complaintsOf(faulty)).toEqual(complaints);
  expect(reportOf(faulty).slice(-3)).toEqual(complaints);
  expect(complaintsOf({ ...sound, expected: { turns: 1, notes: 1 } })).toEqual([
    'What is stored is not what the file holds.',
  ]);
});
