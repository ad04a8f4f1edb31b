/**
 * Reads chats of BEAM (arXiv 2510.27246) from a folder of its repository, such as `chats/100K`:
 * what user and assistant said, and the messages that each question cites. Measure with it, don't
 * ship it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Half, isInHalfOfBeam } from './halves.js';
import type { Conversation, Question, Turn } from './locomo.js';

interface Message {
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

interface Batch {
  readonly turns: readonly (readonly Message[])[];
}

type Probes = Readonly<
  Record<string, readonly { readonly question: string; readonly source_chat_ids?: unknown }[]>
>;

/** Chats lie days apart, their messages seconds. */
const BATCH_MS = 86_400_000;
const TURN_MS = 20_000;

/** Reads chats. Questions that cite no message, or none of the user where only those count, go. */
export async function readBeam(
  folder: string,
  { half, isUserOnly }: { readonly half: Half; readonly isUserOnly: boolean },
): Promise<Conversation[]> {
  const numbers = (await readdir(folder)).map(Number).filter((number) => Number.isInteger(number));
  const chats: Conversation[] = [];
  for (const number of numbers.sort((one, other) => one - other)) {
    if (!isInHalfOfBeam(number, half)) continue;
    const read = async (...path: string[]) =>
      JSON.parse(await readFile(join(folder, String(number), ...path), 'utf8')) as unknown;
    const batches = (await read('chat.json')) as readonly Batch[];
    const probes = (await read('probing_questions', 'probing_questions.json')) as Probes;
    const turns = turnsOf(batches, isUserOnly);
    const known = new Set(turns.map(({ id }) => id));
    const questions = Object.entries(probes).flatMap(([category, asked]) =>
      asked.map(({ question, source_chat_ids }): Question => {
        const cited = [...new Set(idsIn(source_chat_ids))].filter((id) => known.has(id));
        const change = changeIn(source_chat_ids, known);
        const asking = { text: question, category, turns: cited, isDisputed: false };
        return change === undefined ? asking : { ...asking, change };
      }),
    );
    const answered = questions.filter((question) => question.turns.length > 0);
    chats.push({ id: String(number), turns, questions: answered });
  }
  return chats;
}

function turnsOf(batches: readonly Batch[], isUserOnly: boolean): Turn[] {
  return batches.flatMap(({ turns }, batch) =>
    turns
      .flat()
      .map(({ id, role, content }, index) => ({
        id: String(id),
        text: content,
        role,
        atMillis: BATCH_MS * (batch + 1) + TURN_MS * index,
      }))
      .filter(({ role }) => !isUserOnly || role === 'user'),
  );
}

/**
 * Returns the messages of a change: those cited as first and as updated, or as two statements, of
 * which the later one is newer. A message that is both is the newer one.
 */
function changeIn(cited: unknown, known: ReadonlySet<string>): Question['change'] {
  if (typeof cited !== 'object' || cited === null) return undefined;
  const named = Object.entries(cited).map(([name, ids]) => [name, idsIn(ids)] as const);
  const of = (wanted: string) =>
    named.find(([name]) => name === wanted)?.[1].filter((id) => known.has(id)) ?? [];
  const [original, updated] = [of('original_info'), of('updated_info')];
  const statements = [of('first_statement'), of('second_statement')].sort(
    (one, other) => Math.max(...one.map(Number)) - Math.max(...other.map(Number)),
  );
  const [older = [], newer = []] = updated.length > 0 ? [original, updated] : statements;
  if (newer.length === 0) return undefined;
  return { older: older.filter((id) => !newer.includes(id)), newer };
}

/** Returns the ids in a list, in lists by name, or in lists of lists. */
function idsIn(cited: unknown): string[] {
  if (typeof cited === 'number') return [String(cited)];
  if (typeof cited === 'string') return /^\d+$/.test(cited) ? [cited] : [];
  return typeof cited === 'object' && cited !== null ? Object.values(cited).flatMap(idsIn) : [];
}
