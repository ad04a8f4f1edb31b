/** The texts of facts that end, in English. */
import { counted } from '../counted.js';

/** These texts. */
export const supersedingTexts = {
  superseding: {
    by: 'Replaced by',
    since: 'since',
    replaced: 'Replaces',
    until: 'valid until',
    matched: 'Found through a replaced record',
    matchedText: 'The replaced record matches and is no longer valid. This record replaced it.',
  },
  conflicts: {
    title: 'Possible conflicts',
    about:
      'Records of this scope with many of the same words. Keep the one that is true: the other one ends now and stays in the history.',
    look: 'Look for conflicts',
    none: 'No possible conflicts found.',
    found: (count: number) => counted(count, 'possible conflict', 'possible conflicts'),
    shares: (overlap: number, terms: string) =>
      `${(overlap * 100).toFixed(0)}% of the words that matter: ${terms}.`,
    keepThis: 'Keep this record',
    keepThisName: (other: string) => `Keep this record, end “${other}”`,
    keepOther: 'Keep the other',
    keepOtherName: (other: string) => `Keep the other: “${other}”`,
    done: (ended: string) => `“${ended}” no longer holds.`,
  },
} as const;
