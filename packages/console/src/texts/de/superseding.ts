/** The texts of facts that end, in German. */
import type { supersedingTexts } from '../en/superseding.js';
import type { Translated } from '../translated.js';
import { counted } from './counted.js';

/** These texts. */
export const germanSupersedingTexts: Translated<typeof supersedingTexts> = {
  superseding: {
    by: 'Ersetzt durch',
    since: 'seit',
    replaced: 'Ersetzt',
    until: 'gültig bis',
    matched: 'Über einen ersetzten Eintrag gefunden',
    matchedText:
      'Der ersetzte Eintrag passt zur Suche, gilt aber nicht mehr. Dieser Eintrag hat ihn ersetzt.',
  },
  conflicts: {
    title: 'Mögliche Widersprüche',
    about:
      'Einträge dieses Bereichs mit vielen gleichen Wörtern. Behalten Sie den richtigen: Der andere endet jetzt und bleibt im Verlauf.',
    look: 'Widersprüche suchen',
    none: 'Keine möglichen Widersprüche gefunden.',
    found: (count: number) => counted(count, 'möglicher Widerspruch', 'mögliche Widersprüche'),
    shares: (overlap: number, terms: string) =>
      `${(overlap * 100).toFixed(0)} % der wichtigen Wörter: ${terms}.`,
    keepThis: 'Diesen behalten',
    keepThisName: (other: string) => `Diesen behalten, „${other}“ beenden`,
    keepOther: 'Anderen behalten',
    keepOtherName: (other: string) => `Anderen behalten: „${other}“`,
    done: (ended: string) => `„${ended}“ gilt nicht mehr.`,
  },
};
