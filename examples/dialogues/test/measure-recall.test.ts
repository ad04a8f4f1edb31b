/** The questions of the example, and what searches find of the turns that answer them. */
import { expect, test } from 'vitest';
import { sampleFile } from '../src/command.js';
import { embedGrams, gramVector } from '../src/hashed-grams.js';
import { measureRecall, questionsFile, readQuestions } from '../src/measure-recall.js';
import { readDialogues } from '../src/read-dialogues.js';

test('the example has over 100 questions, each with turns, and no two alike', async () => {
  const questions = await readQuestions(questionsFile);
  expect(questions.length).toBeGreaterThan(100);
  expect(questions.every(({ turns }) => turns.length > 0)).toBe(true);
  expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length);
});

test('questions about the sample find the same turns in every run', async () => {
  const conversations = await readDialogues(sampleFile);
  const questions = await readQuestions(questionsFile);
  const { questions: asked, ways } = await measureRecall(conversations, questions, embedGrams);
  expect(asked).toBe(8);
  const [substring = 0, words = 0, vectors = 0, both = 0] = ways.map(({ recall }) => recall);
  expect([substring, words, vectors, both]).toEqual([0.4375, 0.9375, 0.9375, 0.9375]);
});

test('gram vectors are alike for words that are spelled alike', () => {
  const dot = (one: string, other: string) => {
    const [left, right] = [gramVector(one), gramVector(other)];
    return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
  };
  expect(dot('gardening', 'Gardening!')).toBeCloseTo(1, 12);
  expect(dot('gardening', 'garden')).toBeGreaterThan(dot('gardening', 'harbour'));
  expect(gramVector('?!').every((value) => value === 0)).toBe(true);
});
