/** German texts of pausing an agent or a person. */
import type { Translated } from '../translated.js';
import type { pauseTexts } from '../en/pause.js';

/** The texts, by the place where they are shown. */
export const germanPauseTexts: Translated<typeof pauseTexts> = {
  pause: {
    label: 'Pausieren',
    active: (name: string) => `${name} ist nicht pausiert.`,
    paused: 'pausiert',
    noReason: 'Ohne Angabe eines Grundes.',
    pauseName: (name: string) => `${name} pausieren`,
    resumeName: (name: string) => `${name} fortsetzen`,
    title: (name: string) => `${name} pausieren?`,
    text:
      'Alle Aufrufe mit Zugängen, Sitzungen, API-Schlüsseln und verbundenen Programmen dieses ' +
      'Namens werden abgelehnt, und nichts handelt in seinem Auftrag, bis Sie ihn fortsetzen. ' +
      'Nichts wird gelöscht.',
    reason: 'Grund',
    reasonHint: 'Nur Administratoren sehen ihn.',
    go: 'Pausieren',
  },
};
