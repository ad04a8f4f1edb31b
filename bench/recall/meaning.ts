/**
 * Words together with the vectors of a model, such as `@agentkeep/meaning`: `recall()`, and what
 * ranks by words alone, joined with the nearest as hybrid searches usually are. A text is embedded
 * once for all.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Embed, inMemoryStore, openKeep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { meaning } from '@agentkeep/meaning';
import { recallOf, recordsOf } from './agentkeep.js';
import type { Contender, Passage } from './contender.js';
import type { Turn } from './locomo.js';

/** Texts that are embedded in one call. */
const TEXTS = 32;
/** What is added to a rank before its reciprocal, and the first ranks that count. */
const RANK_OFFSET = 60;
const RANKS = 100;

/** A model with its name in titles. */
export interface Model {
  readonly name: string;
  readonly space: string;
  readonly embed: Embed;
  /** Ends what it runs on. */
  close(): Promise<void>;
}

/** Returns the model of `@agentkeep/meaning`. */
export function meaningModel(): Model {
  const embed = meaning();
  return modelOf('`meaning`', embed, () => embed.close());
}

/**
 * Returns the model of a module, whose default export is an `Embed` function with its `space`, and
 * may have `close`.
 */
export async function modelAt(path: string): Promise<Model> {
  const { default: embed } = (await import(pathToFileURL(resolve(path)).href)) as {
    readonly default: Embed & { close?(): Promise<void> };
  };
  return modelOf(`\`${embed.space ?? 'a model'}\``, embed, async () => embed.close?.());
}

/** The embeddings are of unit length; one is empty for a text that the model can't read. */
function modelOf(name: string, embedText: Embed, close: () => Promise<void>): Model {
  const known = new Map<string, readonly number[]>();
  const embed: Embed = async (texts) => {
    const { signal } = new AbortController();
    const missing = [...new Set(texts)].filter((text) => !known.has(text));
    for (let from = 0; from < missing.length; from += TEXTS) {
      const some = missing.slice(from, from + TEXTS);
      const vectors = await embedText(some, { kind: 'record', signal });
      for (const [index, text] of some.entries()) known.set(text, [...(vectors[index] ?? [])]);
    }
    return texts.map((text) => known.get(text) ?? []);
  };
  return { name, space: embedText.space ?? 'model', embed, close };
}

/** `recall()` with a model. */
function recallWith({ name, space, embed }: Model): Contender {
  return {
    title: `\`recall()\` with ${name}`,
    open: async (turns) => {
      const options = { embed, embeddingSpace: space };
      const keep = await openKeep({ store: inMemoryStore(), ...options });
      const { memory } = await agentFor(keep, { subject: 'reader' });
      for await (const { outcomes } of memory.createMany(recordsOf(turns))) {
        if (outcomes.length === 0) break;
      }
      await memory.embedded();
      return Object.assign((question: string) => recallOf(memory, question, { limit: 10 }), {
        [Symbol.asyncDispose]: () => keep.close(),
      });
    },
  };
}

/** Ranks by the cosine of the vectors alone. */
function nearestBy({ name, embed }: Model): Contender {
  const { signal } = new AbortController();
  const vectorsOf = (texts: readonly string[]) => embed(texts, { kind: 'record', signal });
  return {
    title: `vectors of ${name} alone`,
    open: async (turns) => {
      const vectors = await vectorsOf(turns.map(({ text }) => text));
      return async (question) => {
        const [asked = []] = await vectorsOf([question]);
        const near = vectors.map((vector, turn) => ({ turn, by: productOf(vector, asked) }));
        near.sort((one, other) => other.by - one.by);
        return near.slice(0, RANKS).flatMap(({ turn }) => passageOf(turns[turn]));
      };
    },
  };
}

/** Joins the ranks of a contender with those of the vectors. */
function withVectors(contender: Contender, model: Model): Contender {
  const nearest = nearestBy(model);
  return {
    title: `${contender.title}, with vectors of ${model.name}`,
    open: async (turns) => {
      const [byWords, byVector] = [await contender.open(turns), await nearest.open(turns)];
      return async (question) => {
        const sums = new Map<string, { readonly passage: Passage; sum: number }>();
        for (const ranked of [await byWords(question), await byVector(question)]) {
          for (const [index, passage] of ranked.slice(0, RANKS).entries()) {
            const id = passage.turns[0] ?? '';
            const before = sums.get(id) ?? { passage, sum: 0 };
            before.sum += 1 / (RANK_OFFSET + 1 + index);
            sums.set(id, before);
          }
        }
        const joined = [...sums.values()].sort((one, other) => other.sum - one.sum);
        return joined.map(({ passage }) => passage);
      };
    },
  };
}

function passageOf(turn: Turn | undefined): Passage[] {
  return turn === undefined ? [] : [{ turns: [turn.id], text: turn.text }];
}

function productOf(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

/** Returns the contenders with a model: `recall()`, the vectors, and some of the others. */
export function contendersWith(model: Model, others: readonly Contender[]): Contender[] {
  return [
    recallWith(model),
    nearestBy(model),
    ...others.map((contender) => withVectors(contender, model)),
  ];
}
