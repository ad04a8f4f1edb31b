/**
 * Halves of data sets. Weights were chosen on one half, so that the other half says what they are
 * worth on questions never seen. Sets without halves were used for neither or are in both.
 */

/** A half of a data set, or all of it. */
export type Half = 'all' | 'chosen' | 'held';

/** The conversations of LoCoMo that weights were chosen on. */
const CHOSEN_OF_LOCOMO = new Set(['conv-26', 'conv-41', 'conv-43', 'conv-47', 'conv-49']);

/** Whether a conversation of LoCoMo is in a half. */
export function isInHalfOfLocomo(id: string, half: Half): boolean {
  return half === 'all' || CHOSEN_OF_LOCOMO.has(id) === (half === 'chosen');
}

/** Whether a chat of BEAM is in a half: weights were chosen on those of even number. */
export function isInHalfOfBeam(chat: number, half: Half): boolean {
  return half === 'all' || (chat % 2 === 0) === (half === 'chosen');
}

/**
 * Reads the name of a half.
 *
 * @throws {Error} for another name.
 */
export function halfOf(name = 'all'): Half {
  if (name === 'all' || name === 'chosen' || name === 'held') return name;
  throw new Error('--half is all, chosen or held.');
}
