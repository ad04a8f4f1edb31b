/** The texts of reviews, branches, differences and the search in German. */
import { counted } from './counted.js';
import type { findTexts } from '../en/find.js';
import type { reviewTexts } from '../en/review.js';
import type { Translated } from '../translated.js';

/** These texts. */
export const germanReviewTexts: Translated<typeof reviewTexts & typeof findTexts> = {
  differences: {
    added: 'hinzugefügt',
    removed: 'entfernt',
    changed: 'geändert',
    members: {
      name: 'Name',
      primary: 'Text',
      secondary: 'Zweiter Text',
      context: 'Kontext',
      data: 'Daten',
      metadata: 'Metadaten',
      tags: 'Schlagwörter',
      type: 'Art',
      event: 'Ereignis',
      validUntil: 'Gültig bis',
      source: 'Quelle',
      derivedFrom: 'Abgeleitet von',
    },
  },
  review: {
    title: 'Prüfung',
    about: 'Von Agenten vorgeschlagene Änderungen, über die noch zu entscheiden ist.',
    keys: 'Einzelne Tasten in der Liste: J und K wählen aus, A nimmt an, R lehnt ab, U macht rückgängig',
    states: { proposed: 'Offen', merged: 'Angenommen', rejected: 'Abgelehnt' },
    state: 'Status',
    list: 'Vorschläge',
    count: (count: number, hasMore: boolean) =>
      hasMore
        ? `Die ältesten ${String(count)} Vorschläge; es gibt weitere`
        : counted(count, 'Vorschlag', 'Vorschläge'),
    empty: {
      proposed: 'Keine offenen Vorschläge',
      merged: 'In den letzten 30 Tagen wurde nichts angenommen',
      rejected: 'In den letzten 30 Tagen wurde nichts abgelehnt',
    },
    emptyText: 'Vorschläge von Agenten für gemeinsame Bereiche erscheinen hier.',
    missingTitle: 'Diesen Vorschlag gibt es nicht',
    missing:
      'Er wurde zurückgezogen, endete ohne Entscheidung, oder die Entscheidung ist älter als 30 Tage.',
    waits: (age: string) => `offen seit: ${age}`,
    decided: {
      merged: (name: string) => `angenommen von ${name} am`,
      rejected: (name: string) => `abgelehnt von ${name} am`,
    },
    reason: 'Grund',
    accept: 'Annehmen',
    acceptSome: (count: number) => `${count} davon annehmen`,
    reject: 'Ablehnen',
    rejectTitle: 'Warum wird der Vorschlag abgelehnt?',
    rejectText: 'Der Agent, von dem der Vorschlag stammt, sieht den Grund.',
    include: 'Diese Änderung übernehmen',
    of: (name: string) => `Vorschlag von ${name}`,
    decisions: 'Noch nicht gesendete Entscheidungen',
    verdicts: {
      accept: (name: string) => `Wird angenommen: ${name}`,
      reject: (name: string) => `Wird abgelehnt: ${name}`,
    },
    deciding: (kind: 'accept' | 'reject', name: string, seconds: number) =>
      `${kind === 'accept' ? 'Wird angenommen' : 'Wird abgelehnt'}: ${name}. ` +
      `Die Entscheidung wird in ${counted(seconds, 'Sekunde', 'Sekunden')} gesendet und lässt sich bis dahin rückgängig machen.`,
    undo: 'Rückgängig',
    sendNow: 'Jetzt senden',
    undone: (name: string) => `Rückgängig gemacht: ${name}. Der Vorschlag ist wieder offen.`,
    sent: (kind: 'accept' | 'reject', name: string) =>
      `${kind === 'accept' ? 'Angenommen' : 'Abgelehnt'}: ${name}.`,
    refused: {
      accept: (name: string) => `Nicht angenommen: ${name}`,
      reject: (name: string) => `Nicht von Ihnen abgelehnt: ${name}`,
    },
    rejectedBefore: (name: string, reason: string) =>
      `${name} hat den Vorschlag bereits abgelehnt. Dieser Grund bleibt bestehen: ${reason}`,
    yourReason: (reason: string) => `Ihr Grund wurde nicht gespeichert: ${reason}`,
    openProposal: 'Vorschlag öffnen',
    isDecided:
      'Sie haben entschieden. Bis die Entscheidung gesendet wird, können Sie sie unten rückgängig machen.',
    merged: 'Übernommene Änderungen',
    moreMerged: (count: number) =>
      `${counted(count, 'weitere Änderung', 'weitere Änderungen')}, hier nicht angezeigt.`,
    notKept: 'Der Text dieser Revision wird nicht mehr aufbewahrt.',
    actions: {
      created: ['neuer Eintrag', 'good'],
      updated: ['geänderter Eintrag', 'warned'],
      restored: ['wiederhergestellter Eintrag', 'warned'],
      deleted: ['gelöschter Eintrag', 'bad'],
      redacted: ['geschwärzte Revision', 'bad'],
    },
    created: 'neuer Eintrag',
    updated: 'geänderter Eintrag',
    deleted: 'gelöschter Eintrag',
    redacted: 'geschwärzte Revision',
    redacts: (revision: number) => `Der Text von Revision ${revision} wird endgültig entfernt.`,
    conflict: {
      changed:
        'Der Eintrag wurde inzwischen geändert, daher lässt sich der Vorschlag so nicht annehmen.',
      name_taken: 'Inzwischen trägt ein anderer Eintrag diesen Namen.',
    },
    stopped:
      'Einige Änderungen widersprechen dem gespeicherten Stand. Öffnen Sie den Vorschlag und wählen Sie sie ab.',
    decidedElsewhere: 'Inzwischen wurde an anderer Stelle entschieden. Wählen Sie einen anderen.',
    gone: 'Die Änderungen eines abgelehnten Vorschlags werden nicht aufbewahrt.',
  },
  branchesScreen: {
    title: 'Zweige',
    about:
      'Kopien des Gedächtnisses, in denen Agenten etwas ausprobieren, ohne dass es andere sehen.',
    name: 'Name',
    purpose: 'Zweck',
    scopes: 'Bereiche',
    author: 'Erstellt von',
    ends: 'Endet',
    empty: 'Keine Zweige',
    emptyText: 'Agenten erstellen Zweige, um Änderungen vorab auszuprobieren.',
    same: 'Dieser Zweig enthält keine Änderungen.',
    merge: 'Zusammenführen',
    drop: 'Zweig verwerfen',
    dropTitle: 'Diesen Zweig verwerfen?',
    dropText: 'Sein Inhalt geht verloren. Bereits zusammengeführte Änderungen bleiben.',
    merged: 'Zusammengeführt.',
    back: 'Alle Zweige',
  },
  find: {
    title: 'Alle Bereiche durchsuchen',
    about:
      'Findet Einträge in allen Bereichen, die Sie lesen dürfen, neueste zuerst. Gelöschte ' +
      'Einträge, frühere Revisionen, Zweige und Vorschläge werden nicht durchsucht.',
    open: 'Alle Bereiche durchsuchen',
    person: 'Über',
    personHint:
      'Eine Person oder ein Agent: deren privates Gedächtnis, eigene Einträge und Texte, die sie nennen',
    words: 'Wörter',
    wordsHint: 'Alle davon; Tee* findet Wortanfänge, "grüner Tee" eine Wortfolge',
    subject: 'Privat für',
    author: 'Autor',
    types: 'Arten',
    custom: 'Eigene Arten',
    tags: 'Alle diese Schlagwörter',
    from: 'Erstellt ab',
    before: 'Erstellt vor',
    go: 'Suchen',
    clear: 'Zurücksetzen',
    begin: 'Noch keine Suche',
    beginText:
      'Geben Sie einen Namen oder Wörter ein. Subjekt, Autor, Art und Zeit grenzen die Suche ein.',
    empty: 'Keine Treffer',
    emptyText:
      'Kein Eintrag, den Sie lesen dürfen, passt. Verwenden Sie weniger Wörter oder Filter.',
    list: 'Gefundene Einträge',
    found: (count: number, isAll: boolean, scopes: number) =>
      `${isAll ? '' : 'bisher '}${counted(count, 'Eintrag', 'Einträge')}; ` +
      `${counted(scopes, 'Bereich', 'Bereiche')} durchsucht`,
    unread: (scopes: number, records: number) =>
      `Nicht durchsucht: ${counted(scopes, 'Bereich', 'Bereiche')} mit ` +
      `${counted(records, 'Eintrag', 'Einträgen')}, die Sie in der Liste sehen, aber nicht lesen ` +
      'dürfen.',
    export: (name: string) => `Privates Gedächtnis von ${name} exportieren…`,
    erase: (name: string) => `${name} endgültig entfernen…`,
    expired: 'abgelaufen',
  },
};
