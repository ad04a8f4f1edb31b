/** The Python client reads the words of a question as that of TypeScript does, in every script. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { wordsOfQuestion } from '../../packages/core/src/client/recalling/recollection.ts';
import { type Random, randomFrom } from '../../packages/testkit/src/random.ts';
import { findPython, pythonFolder } from './find-python.ts';

/** Prints the words of each question; null for one with characters that this Python lacks. */
const PROGRAM = `
import json, sys, unicodedata
from agentkeep._recollection import words_of_question
known = lambda text: all(unicodedata.category(each) != "Cn" for each in text)
questions = json.load(sys.stdin)
json.dump([words_of_question(each) if known(each) else None for each in questions], sys.stdout)
`;

function wordsInPython(questions: readonly string[]): readonly (string | null)[] {
  const { status, stdout, stderr } = spawnSync(findPython() ?? 'python3', ['-c', PROGRAM], {
    input: JSON.stringify(questions),
    env: {
      PATH: process.env['PATH'] ?? '',
      PYTHONPATH: join(pythonFolder, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as (string | null)[];
}

const texts = [
  ...['क्या मेरी दुकान खुली है?', 'দোকান কি খোলা?', 'கடை திறந்திருக்கிறதா?', 'ร้านเปิดกี่โมง', 'ຮ້ານເປີດບໍ?'],
  ...[
    'ហាងបើកទេ?',
    'ဆိုင်ဖွင့်လား',
    'གཚོང་ཁང་',
    'お店は何時に開きますか？ＡＢＣ',
    '商店几点开门',
    '가게는 몇 시에 열어요?',
  ],
  ...[
    'متى يفتح المحلّ؟',
    'מָתַי נִפְתַּחַת',
    'Khi nào cửa hàng mở?',
    'Straße ﬁrst ½ ²',
    'հայերեն ქართული ελληνικά',
    'a_b x̃y',
  ],
];

const characters = Array.from(texts.join('') + ' _-.\u00ad\u200d\u0301\ud83d😀𝒳𠀋');

/** Returns a character of these texts, or any one below those of newer versions of Unicode. */
function characterBy(random: Random): string {
  const code = 0x20 + random(0x1_ff_e0);
  return random(3) === 0
    ? String.fromCodePoint(code)
    : (characters[random(characters.length)] ?? '');
}

function questionBy(random: Random): string {
  if (random(2) === 0)
    return Array.from({ length: random(12) }, () => characterBy(random)).join('');
  return Array.from({ length: random(20) }, () => texts[random(texts.length)]).join(' ');
}

test('a question has the same words in both clients', () => {
  const random = randomFrom(inject('seed'));
  const questions = [...texts, ...Array.from({ length: 5_000 }, () => questionBy(random))];
  const inPython = wordsInPython(questions);
  const known = questions.filter((_, at) => inPython[at] !== null);
  expect(known.length).toBeGreaterThan(questions.length / 2);
  const words = questions.map((each, at) => (inPython[at] === null ? null : wordsOfQuestion(each)));
  expect(inPython).toEqual(words);
});
