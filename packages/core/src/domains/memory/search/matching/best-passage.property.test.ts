/** The best passage of a text beside the plain statement of it in docs/contract/search.md. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from '../../text/fold-text.js';
import { loadWordForms } from '../../text/word-forms.js';
import { bestPassage } from './best-passage.js';
import { WantedWords } from './find-words.js';

const BYTES_MAX = 24;
const pieces = [
  'running',
  'runs',
  'Boat',
  'boats',
  'sky',
  'dying',
  'die',
  'rü',
  '猫',
  'a1_b',
  'K',
  'ｒｕｎ',
];
const breaks = [
  ' ',
  ' ',
  ' ',
  '. ',
  '.',
  '!\n',
  '?  ',
  '\n',
  ' \n ',
  '。',
  '。\n',
  '。 ',
  '-',
  ', ',
];
const texts = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...breaks)), { maxLength: 24 })
  .map((parts) => parts.flat().join(''));
const questions = fc.constantFrom(
  'running boat',
  'die',
  'sky "runs boat"',
  '猫 rü run',
  'a1_b k',
  'run',
);

/** Returns the ends of sentences, each found by what is before and behind it. */
function plainSentences(text: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { 0: gap, index } of text.matchAll(/\n\s*|(?<=[.!?])\s+|(?<=[。！？])/gu)) {
    sentences.push(text.slice(from, index + gap.length));
    from = index + gap.length;
  }
  return [...sentences, text.slice(from)].filter((sentence) => sentence !== '');
}

describe('the best passage', () => {
  it('has the times of its terms as when its parts are read alone', async () => {
    const forms = await loadWordForms('english');
    fc.assert(
      fc.property(texts, questions, fc.nat(), fc.nat(), (text, asked, one, other) => {
        const words = new WantedWords({ text: asked, match: 'any', ...withMarks }, forms);
        const [from, to] = [one, other].map((at) => at % (text.length + 1)).toSorted(byNumber);
        const part = text.slice(from, to);
        const plain = words.timesIn([foldText(part)]);
        const times = words.timesWithin(text)(from ?? 0, to ?? 0);
        expect(times ?? new Uint8Array(words.count)).toEqual(plain);
        expect(times === undefined).toBe(plain.every((often) => often === 0));
      }),
      { numRuns: 500 },
    );
  });

  it('begins and ends where sentences do', async () => {
    const forms = await loadWordForms('english');
    fc.assert(
      fc.property(texts, questions, (text, asked) => {
        const sentences = plainSentences(text);
        const bytesOf = (part: string) => Buffer.byteLength(part);
        fc.pre(bytesOf(text) > BYTES_MAX && sentences.every((each) => bytesOf(each) <= BYTES_MAX));
        const words = new WantedWords({ text: asked, match: 'any', ...withMarks }, forms);
        const weightOf = (times: Uint8Array) => times.reduce((sum, often) => sum + often, 0);
        const runs = sentences.map((_first, at) => {
          let end = at;
          while (end < sentences.length && bytesOf(sentences.slice(at, end + 1).join('')) <= 24) {
            end += 1;
          }
          const inRun = sentences.slice(at, end);
          const from = sentences.slice(0, at).join('').length;
          const times = new Uint8Array(words.count);
          for (const each of inRun) {
            for (const [term, often] of words.timesIn([foldText(each)]).entries()) {
              times[term] = Math.min(4, (times[term] ?? 0) + often);
            }
          }
          const to = from + inRun.join('').trimEnd().length;
          return { from, to, weight: weightOf(times) };
        });
        const best = runs.reduce((first, run) => (run.weight > first.weight ? run : first));
        const timesWithin = (whole: string) => words.timesWithin(whole);
        const search = { bytesMax: BYTES_MAX, terms: words.count, timesWithin, weightOf };
        const found = bestPassage(text, search);
        if (best.to > best.from) expect(found).toEqual({ from: best.from, to: best.to });
      }),
      { numRuns: 500 },
    );
  });
});

const withMarks = { diacritics: 'exact', forms: 'english' } as const;
const byNumber = (one: number, other: number) => one - other;
