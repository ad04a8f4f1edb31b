/** The best passage of a text beside the plain statement of it in docs/contract/search.md. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeldText } from '../../../../kernel/ports/memory-scan.js';
import type { StoredRecord } from '../../record/record-layout.js';
import { foldText } from '../../text/fold-text.js';
import { loadWordForms } from '../../text/word-forms.js';
import { WantedWords } from './find-words.js';
import { Passages } from './passages.js';

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
        const passages = passagesBy(words, weightOf);
        const found = passages.of(recordOf(text));
        if (best.to > best.from) expect(found).toEqual({ from: best.from, to: best.to });
      }),
      { numRuns: 500 },
    );
  });

  it('is the same by words that are held of the text', async () => {
    const forms = await loadWordForms('english');
    fc.assert(
      fc.property(texts, questions, questions, (text, before, asked) => {
        const filter = { match: 'any', ...withMarks } as const;
        const weightOf = (times: Uint8Array) => times.reduce((sum, often) => sum + often, 0);
        const record = recordOf(text);
        const wanted = [...Array.from({ length: ASKED_MIN }, () => before), asked].map(
          (words) => new WantedWords({ text: words, ...filter }, forms),
        );
        const searches = wanted.map((words) => passagesBy(words, weightOf));
        let held: HeldText | undefined;
        for (const search of searches) {
          if (search.isHeld(record)) held = search.toHold(record, held, always);
        }
        const isLong = Buffer.byteLength(text) > BYTES_MAX;
        if (wanted.every(({ otherBits }) => otherBits === 0))
          expect(held?.sentences !== undefined).toBe(isLong);
        const last = searches.at(-1);
        const known = last?.isHeld(record) === true ? held : undefined;
        expect(last?.of(record, undefined, known)).toEqual(last?.of(record));
      }),
      { numRuns: 500 },
    );
  });

  it('is read again for another length of passages, other words and another revision', async () => {
    const forms = await loadWordForms('english');
    const text = 'The boat leaves. The sky is clear. It comes back.';
    const asked = new WantedWords({ text: 'boat', match: 'any', ...withMarks }, forms);
    const exact = new WantedWords({ text: 'boat', match: 'any', ...withMarks });
    const weightOf = (times: Uint8Array) => times[0] ?? 0;
    const hold = (search: Passages, revision: number, from?: HeldText) =>
      search.toHold(recordOf(text, revision), from, always);
    const search = passagesBy(asked, weightOf);
    let held: HeldText | undefined;
    for (let times = 0; times < ASKED_MIN; times += 1) held = hold(search, 1, held);
    expect(held?.sentences?.ends).toHaveLength(3);
    expect(hold(search, 1, held)).toBe(held);
    const wider = passagesBy(asked, weightOf, BYTES_MAX + 1);
    for (const other of [hold(wider, 1, held), hold(search, 2, held)]) {
      expect([other.asked, other.sentences]).toEqual([1, undefined]);
    }
    expect(hold(passagesBy(exact, weightOf), 1, held).sentences).toBeUndefined();
    const phrase = new WantedWords({ text: '"the boat"', match: 'any', ...withMarks }, forms);
    const ofPhrase = passagesBy(phrase, weightOf);
    expect([search, ofPhrase].map((each) => each.isHeld(recordOf(text)))).toEqual([true, false]);
  });

  it('is read to be held only where that may be done now', async () => {
    const forms = await loadWordForms('english');
    const words = new WantedWords({ text: 'boat', match: 'any', ...withMarks }, forms);
    const search = passagesBy(words, (times) => times[0] ?? 0);
    const record = recordOf('The boat leaves. The sky is clear. It comes back.');
    let held: HeldText | undefined;
    for (let times = 0; times < 20; times += 1) held = search.toHold(record, held, () => false);
    expect([held?.asked, held?.isRead]).toEqual([20, undefined]);
    expect(search.toHold(record, held, always).sentences).toBeDefined();
  });

  it('is read each time in a text of more sentences than an index has', async () => {
    const forms = await loadWordForms('english');
    const words = new WantedWords({ text: 'boat', match: 'any', ...withMarks }, forms);
    const search = passagesBy(words, (times) => times[0] ?? 0);
    const record = recordOf(`${'Sky. '.repeat(300)}Boat.`);
    let held: HeldText | undefined;
    for (let times = 0; times < ASKED_MIN; times += 1) held = search.toHold(record, held, always);
    expect([held?.isRead, held?.sentences]).toEqual([true, undefined]);
    expect(search.toHold(record, held, always)).toBe(held);
    expect(search.of(record, undefined, held)?.to).toBe(1_505);
  });
});

function passagesBy(
  ranking: WantedWords,
  weightOf: (times: Uint8Array) => number,
  bytesMax = BYTES_MAX,
): Passages {
  const timesWithin = (text: string) => ranking.timesWithin(text);
  return new Passages({ bytesMax, ranking, timesWithin, weightOf });
}

function recordOf(primary: string, revision = 1): StoredRecord {
  return { revision, payload: { content: { primary } } } as StoredRecord;
}

const ASKED_MIN = 16;
const always = () => true;
const withMarks = { diacritics: 'exact', forms: 'english' } as const;
const byNumber = (one: number, other: number) => one - other;
