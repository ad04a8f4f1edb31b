/** A stand-in for a model that makes embeddings: it knows which words mean much the same. */
import type { Embed } from '@agentkeep/client';

const meanings = [/tea|coffee|drink|beverage/giu, /printer|paper|print/giu];

/** Counts the words of each meaning. */
export const concepts: Embed = (texts) =>
  Promise.resolve(
    texts.map((text) => meanings.map((words) => 0.01 + (text.match(words)?.length ?? 0))),
  );
