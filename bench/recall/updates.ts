/**
 * Questions of BEAM about what changed or contradicts itself, which name an older and a newer
 * message: how often `recall()` shows the newer one before the older. As users would state it, a
 * newer message supersedes the older ones; beside it, the same messages without that.
 */
import { inMemoryStore, type MemoryRecord, openKeep, type ScopedMemory } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import type { Reading } from '../measure.js';
import { recordsOf } from './agentkeep.js';
import type { Conversation, Question, Turn } from './locomo.js';
import { estimateOf } from './scores.js';

/** Records that one supersedes, at most. */
const SUPERSEDED_MAX = 8;

type Changed = Question & { readonly change: NonNullable<Question['change']> };

/** One reading with superseded messages, and one without, of all questions about changes. */
export async function* updateReadings(
  name: string,
  conversations: readonly Conversation[],
): AsyncGenerator<Reading, void> {
  for (const isStated of [false, true]) {
    const scores: number[] = [];
    for (const { turns, questions } of conversations) {
      const changed = questions.filter((question): question is Changed => 'change' in question);
      const keep = await openKeep({ store: inMemoryStore() });
      const { memory } = await agentFor(keep, { subject: 'reader' });
      await store(memory, turns, isStated ? changed : []);
      for (const { text, change } of changed) {
        const found = (await memory.recall(text)).map(({ record }) => idOf(record));
        scores.push(Number(isNewerFirst(found, change)));
      }
      await keep.close();
    }
    if (scores.length === 0) return;
    const { percent, from, to } = estimateOf(scores);
    const how = isStated ? 'superseded' : 'beside each other';
    yield {
      name: `${name}: \`recall()\`, older facts ${how}`,
      figures: {
        questions: scores.length,
        'newer_first_%': percent,
        'newer_first_from_%': from,
        'newer_first_to_%': to,
      },
    };
  }
}

/** Whether a newer message was found, before every older one. */
function isNewerFirst(
  found: readonly string[],
  { older, newer }: NonNullable<Question['change']>,
): boolean {
  const first = found.find((id) => newer.includes(id) || older.includes(id));
  return first !== undefined && newer.includes(first);
}

/** Stores messages, each that is newer last, so that it can name what it supersedes. */
async function store(memory: ScopedMemory, turns: readonly Turn[], changed: readonly Changed[]) {
  const olderBy = new Map<string, string[]>();
  const ended = new Set<string>();
  for (const { older, newer } of changed.map(({ change }) => change)) {
    const [first = ''] = newer;
    const left = older.filter((id) => !ended.has(id));
    for (const id of left) ended.add(id);
    olderBy.set(first, [...(olderBy.get(first) ?? []), ...left]);
  }
  const isNewer = ({ id }: Turn) => olderBy.has(id);
  const records = recordsOf(turns.filter((turn) => !isNewer(turn)));
  for await (const { outcomes } of memory.createMany(records)) if (outcomes.length === 0) break;
  const stored = new Map<string, string>();
  for await (const { record } of memory.search({})) stored.set(idOf(record), record.record_id);
  for (const turn of turns.filter(isNewer)) {
    const supersedes = (olderBy.get(turn.id) ?? [])
      .flatMap((id) => stored.get(id) ?? [])
      .map((record_id) => ({ record_id, revision: 1 }))
      .slice(0, SUPERSEDED_MAX);
    const [record] = recordsOf([turn]);
    if (record === undefined) continue;
    const stating = supersedes.length === 0 ? record : { ...record, supersedes };
    const { record_id } = await memory.create(stating);
    stored.set(turn.id, record_id);
  }
}

function idOf({ payload }: MemoryRecord): string {
  return payload.tags[0] ?? '';
}
