/**
 * A small embedding that needs no model: counts of character trigrams, each at a hashed place.
 * Texts with similar spellings are near each other, whatever they mean.
 */
import type { Embed } from '@agentkeep/core';

const DIMENSIONS = 512;
const GRAM_CHARS = 3;
/** The offset and prime of FNV-1a. */
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Embeds texts; the same texts always get the same vectors. */
export const embedGrams: Embed = (texts) => Promise.resolve(texts.map(gramVector));

/** Returns the vector of a text, of length 1, or of zeros without letters and digits. */
export function gramVector(text: string): number[] {
  const vector = Array<number>(DIMENSIONS).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  for (const word of words) {
    const marked = `^${word}$`;
    for (let at = 0; at + GRAM_CHARS <= marked.length; at += 1) {
      const hash = hashOf(marked.slice(at, at + GRAM_CHARS));
      const place = hash % DIMENSIONS;
      // The sign evens out grams that share a place.
      vector[place] = (vector[place] ?? 0) + (hash >>> 31 === 0 ? 1 : -1);
    }
  }
  // A gram that occurs often says little more than one that occurs once.
  const damped = vector.map((count) => Math.sign(count) * Math.log1p(Math.abs(count)));
  const length = Math.hypot(...damped);
  return length === 0 ? damped : damped.map((value) => value / length);
}

function hashOf(gram: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < gram.length; at += 1) {
    hash = Math.imul(hash ^ gram.charCodeAt(at), FNV_PRIME) >>> 0;
  }
  return hash;
}
