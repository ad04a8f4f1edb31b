/** Parsing of valid and invalid dialogue files. */
import { expect, test } from 'vitest';
import { sampleFile } from '../src/command.js';
import { parseDialogues, readDialogues, sortablePlace } from '../src/read-dialogues.js';
import { readLines } from './naive-search.js';

const line = {
  conversation: 'tea',
  session: 1,
  turn: 'D1:1',
  speaker: 'Ana',
  at_millis: 1_000,
  text: 'Milk?',
};

test('reads the sample as its lines state', async () => {
  const conversations = await readDialogues(sampleFile);
  expect(conversations.map(({ id, speakers }) => [id, speakers])).toEqual([
    ['allotment', ['Ines', 'Tomas']],
    ['night-bus', ['Kofi', 'Ines']],
  ]);
  const texts = conversations.flatMap(({ turns }) => turns.map(({ text }) => text));
  expect(texts).toEqual(readLines(sampleFile).map(({ text }) => text));
});

test('keeps a line separator inside a text', () => {
  const text = 'one\u2028two';
  const [conversation] = parseDialogues(`${JSON.stringify({ ...line, text })}\r\n\n`);
  expect(conversation?.turns.map((turn) => turn.text)).toEqual([text]);
});

test.each([
  ['{', 'Line 2 is not JSON.'],
  ['7', 'Line 2 is not a JSON object.'],
  [JSON.stringify({ ...line, text: null }), 'Line 2: "text" is not a text.'],
  [JSON.stringify({ ...line, session: 1.5 }), 'Line 2: "session" is not a whole number.'],
  [JSON.stringify({ ...line, image_caption: 1 }), 'Line 2: "image_caption" is not a text.'],
  [JSON.stringify({ ...line, turn: 'D1:01' }), 'Line 2: this turn came before.'],
])('refuses %s', (second, message) => {
  expect(() => parseDialogues(`${JSON.stringify(line)}\n${second}`)).toThrow(message);
});

test('sorts places in numeric order', () => {
  const places = ['D1:2', 'D1:10', 'D2:1', 'D10:1'].map(sortablePlace);
  expect(places.toSorted()).toEqual(places);
});
