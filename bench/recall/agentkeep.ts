/** Agentkeep: the orders of `searchMemory` by words, and `recall()`. */
import { inMemoryStore, type MemoryRecord, openKeep, type ScopedMemory } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import type { Contender, Passage } from './contender.js';
import type { Turn } from './locomo.js';

const PASSAGES = 100;
const WORDS_MAX = 32;
/** What is asked for by default. */
const FIRST = 10;

/** Stores turns as records whose only tag is the id of the turn. */
async function storedIn(turns: readonly Turn[]) {
  const keep = await openKeep({ store: inMemoryStore() });
  const { memory } = await agentFor(keep, { subject: 'reader' });
  for await (const { outcomes } of memory.createMany(recordsOf(turns))) {
    if (outcomes.length === 0) break;
  }
  return { keep, memory };
}

/** Returns turns as records. */
export function recordsOf(turns: readonly Turn[]) {
  return turns.map(({ id, text, atMillis }) => {
    return { content: { primary: text }, event_time_millis: atMillis, tags: [id] };
  });
}

function passageOf(...records: readonly MemoryRecord[]): Passage {
  return {
    turns: records.flatMap(({ payload }) => payload.tags),
    text: records.map(({ payload }) => payload.content.primary).join('\n'),
  };
}

function contender(
  title: string,
  ask: (memory: ScopedMemory, question: string) => Promise<Passage[]>,
): Contender {
  return {
    title,
    open: async (turns) => {
      const { keep, memory } = await storedIn(turns);
      return Object.assign((question: string) => ask(memory, question), {
        [Symbol.asyncDispose]: () => keep.close(),
      });
    },
  };
}

function ordered(
  order: 'most_words' | 'rarest_words' | 'best_words',
  forms: 'exact' | 'english',
): Contender {
  return contender(`\`${order}\`, ${forms} words`, async (memory, question) => {
    // Quotes and asterisks have a meaning in searches, which take a bounded number of words.
    const said = new Set(question.match(/[\p{L}\p{M}\p{N}_]+/gu));
    const text = [...said].slice(0, WORDS_MAX).join(' ');
    const words = { text, match: 'any', forms } as const;
    const { matches } = await memory.searchPage({ words }, { order, limit: PASSAGES });
    return matches.map(({ record }) => passageOf(record));
  });
}

function recall(title: string, limit: number, around: number): Contender {
  return contender(title, (memory, question) => recallOf(memory, question, { limit, around }));
}

/** Returns what a question recalls. */
export async function recallOf(
  memory: Pick<ScopedMemory, 'recall'>,
  question: string,
  options: { readonly limit: number; readonly around?: number },
): Promise<Passage[]> {
  const found = await memory.recall(question, options);
  return found.map(({ text, record, before = [], after = [] }) => {
    const around = passageOf(...before, ...after);
    return {
      turns: [...record.payload.tags, ...around.turns],
      text: `${text}\n${around.text}`,
    };
  });
}

/** All ways to ask. */
export const agentkeeps: readonly Contender[] = [
  ordered('most_words', 'exact'),
  ordered('rarest_words', 'exact'),
  ordered('rarest_words', 'english'),
  ordered('best_words', 'english'),
  recall('`recall()`', FIRST, 0),
  recall(`\`recall()\`, \`limit: ${String(PASSAGES)}\``, PASSAGES, 0),
  recall('`recall()`, `around: 2`', FIRST, 2),
];
