/**
 * Reads the small training sets of MuSiQue and HotpotQA as HippoRAG's repository has them: a file
 * of questions, and beside it one of paragraphs, whose name ends in `_corpus.json`. A question
 * needs several paragraphs. None is beside another one in time.
 */
import { readFile } from 'node:fs/promises';
import type { Conversation, Turn } from './locomo.js';

interface Musique {
  readonly question: string;
  readonly paragraphs: readonly {
    readonly title: string;
    readonly paragraph_text: string;
    readonly is_supporting: boolean;
  }[];
}

interface Hotpot {
  readonly question: string;
  readonly supporting_facts: readonly (readonly [title: string, sentence: number])[];
}

const APART_MS = 86_400_000;

/** Reads MuSiQue from the path of its questions. */
export async function readMusique(path: string): Promise<Conversation[]> {
  const [questions, corpus] = await read<Musique[], { title: string; text: string }[]>(path);
  const texts = corpus.map(({ title, text }) => `${title}\n${text}`);
  const supporting = questions.map(({ question, paragraphs }) => ({
    question,
    ids: paragraphs
      .filter((each) => each.is_supporting)
      .map((each) => `${each.title}\n${each.paragraph_text}`),
  }));
  return [
    conversationOf(
      'MuSiQue',
      texts.map((text) => [text, text]),
      supporting,
    ),
  ];
}

/** Reads HotpotQA from the path of its questions. */
export async function readHotpotqa(path: string): Promise<Conversation[]> {
  const [questions, corpus] = await read<Hotpot[], Record<string, string[]>>(path);
  const texts = Object.entries(corpus).map(([title, sentences]): [string, string] => {
    return [title, `${title}\n${sentences.join('')}`];
  });
  const supporting = questions.map(({ question, supporting_facts: facts }) => {
    return { question, ids: facts.map(([title]) => title) };
  });
  return [conversationOf('HotpotQA', texts, supporting)];
}

async function read<Q, C>(path: string): Promise<[questions: Q, corpus: C]> {
  const parse = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as unknown;
  const corpus = path.replace(/\.json$/, '_corpus.json');
  return [(await parse(path)) as Q, (await parse(corpus)) as C];
}

function conversationOf(
  id: string,
  texts: readonly (readonly [id: string, text: string])[],
  asked: readonly { readonly question: string; readonly ids: readonly string[] }[],
): Conversation {
  const numbers = new Map(texts.map(([each], number) => [each, String(number)]));
  const turns = texts.map(([, text], number): Turn => {
    return { id: String(number), text, atMillis: APART_MS * number };
  });
  const questions = asked.map(({ question, ids }) => {
    const found = [...new Set(ids.flatMap((each) => numbers.get(each) ?? []))];
    return { text: question, category: 'multi-hop', turns: found, isDisputed: false };
  });
  return { id, turns, questions: questions.filter(({ turns: found }) => found.length > 0) };
}
