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
    resumeName: (name: string) => `Pause von ${name} beenden`,
    title: (name: string) => `${name} pausieren?`,
    text:
      'Alle Aufrufe mit Zugängen, Sitzungen, API-Schlüsseln und verbundenen Programmen dieses ' +
      'Namens werden abgelehnt, und niemand kann in seinem Auftrag handeln, bis Sie die Pause beenden. ' +
      'Nichts wird gelöscht.',
    reason: 'Grund',
    reasonHint: 'Nur Administratoren sehen den Grund.',
    go: 'Pausieren',
  },
};
