/** Every text of the console in German. */
import { germanAccessTexts } from './access.js';
import { germanAuditTexts } from './audit.js';
import { germanBasisTexts } from './basis.js';
import { germanCodingAgentTexts } from './coding-agents.js';
import { counted } from './counted.js';
import { germanCredentialTexts } from './credentials.js';
import { germanInvitationTexts } from './invitations.js';
import { germanLearningTexts } from './learning.js';
import { germanMachineTexts } from './machine.js';
import { germanMemoryTexts } from './memory.js';
import { germanPeopleTexts } from './people.js';
import { germanReviewTexts } from './review.js';
import { germanSettingTexts } from './settings.js';
import { germanPauseTexts } from './pause.js';
import { germanSupersedingTexts } from './superseding.js';
import type { Texts } from '../translated.js';

const records = (count: number): string => counted(count, 'Eintrag', 'Einträge');

/** The texts, by the place where they are shown. */
export const germanTexts: Texts = {
  locale: 'de',
  product: 'Agentkeep',
  skip: 'Zum Inhalt springen',
  loading: 'Wird geladen…',
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  apply: 'Anwenden',
  more: 'Mehr anzeigen',
  stop: 'Abbrechen',
  none: 'Keine Angabe',
  zone: (zone: string) => `Zeiten gelten in Ihrer Zeitzone, ${zone}.`,
  noTime: (field: string) =>
    `„${field}“ braucht ein gültiges Datum und eine Uhrzeit, etwa 2035-02-28T09:30.`,
  menu: {
    label: 'Navigation',
    button: 'Menü',
    scopes: 'Gedächtnis',
    review: 'Prüfung',
    branches: 'Zweige',
    learning: 'Lernen',
    access: 'Zugriff',
    audit: 'Prüfprotokoll',
    system: 'System',
    tenants: 'Mandanten',
    webhooks: 'Webhooks',
    erasures: 'Löschungen',
    account: 'Mein Konto',
  },
  person: {
    signOut: 'Abmelden',
    live: 'Live',
    notLive: 'Nicht live',
    installation: 'Installation',
    still: (name: string) => `Sie sind weiterhin als ${name} angemeldet.`,
  },
  signIn: {
    title: 'Anmeldung',
    ended: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
    ways: 'Art der Anmeldung',
    byPassword: 'Kennwort',
    bySecret: 'Geheimnis',
    tenant: 'Mandant',
    tenantHint: 'Für ein Konto der Installation leer lassen.',
    username: 'Benutzername',
    password: 'Kennwort',
    secret: 'Geheimnis der Zugangsdaten',
    secretHint: 'Es bleibt im Speicher dieser Seite und wird beim Verlassen verworfen.',
    go: 'Anmelden',
    issuers: 'Weitere Anmeldearten',
    issuer: (name: string) => `Mit ${name} anmelden`,
  },
  failures: {
    unexpected: 'Auf dieser Seite ist ein Fehler aufgetreten. Laden Sie sie neu.',
    request: (id: string) => `Anfrage ${id}`,
    byCode: {
      unauthorized: 'Der Server akzeptiert die Anmeldung nicht. Melden Sie sich erneut an.',
      server_unreachable:
        'Der Server antwortet nicht. Sobald er antwortet, lädt diese Seite erneut.',
      revision_conflict:
        'Inzwischen gab es eine andere Änderung. Sehen Sie sich den aktuellen Stand an und entscheiden Sie erneut.',
      history_gone:
        'Die Daten für diesen Zeitpunkt werden nicht mehr aufbewahrt. Wählen Sie einen späteren.',
      rate_limit_exceeded:
        'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es erneut.',
    },
  },
  nothing: {
    title: 'Noch nichts zu sehen',
    text: 'Sie sind angemeldet, haben hier aber keine Berechtigungen. Bitten Sie die Administration um eine Rolle oder um Zugangsdaten.',
  },
  unknown: {
    title: 'Diese Seite gibt es nicht',
    text: 'Die Adresse ist falsch oder veraltet.',
    home: 'Zum Gedächtnis',
  },
  scopes: {
    title: 'Gedächtnis',
    about: 'Alle Bereiche, die Sie sehen dürfen, mit der Zahl ihrer Einträge.',
    scope: 'Bereich',
    subject: 'Subjekt',
    records: 'Einträge',
    deleted: 'Gelöscht',
    lastChange: 'Letzte Änderung',
    shared: 'gemeinsam',
    isPrivate: 'privat',
    private: (subject: string) => `privat für ${subject}`,
    empty: 'Für Sie ist nichts Sichtbares gespeichert',
    emptyText:
      'Ein Bereich erscheint, sobald ein Agent darin etwas speichert. Privates Gedächtnis ' +
      'anderer wird nicht aufgeführt.',
    filter: 'Bereiche mit',
    filterHint: 'Ein Teil eines Namens, des Agenten oder des Subjekts',
    shows: 'Gemeinsam oder privat',
    anyVisibility: 'Beides',
    onlyShared: 'Nur gemeinsame',
    onlyPrivate: 'Nur private',
    shownOf: (shown: number, all: number, isAll: boolean) =>
      `${shown.toLocaleString('de')} von ${counted(all, 'Bereich', 'Bereichen')}` +
      (isAll ? '' : ', die bisher geladen sind'),
    noneShown: 'Kein Bereich passt',
    noneShownText: 'Ändern Sie den Text, oder zeigen Sie gemeinsame und private Bereiche an.',
    openTitle: 'Bereich öffnen',
    openText:
      'Ihre Zugangsdaten erlauben auch nicht aufgeführte Bereiche. Öffnen Sie einen mit seinen Namen.',
    project: 'Projekt',
    agent: 'Agent',
    mission: 'Mission',
    visibility: 'Sichtbarkeit',
    open: 'Öffnen',
  },
  memory: {
    ask: 'Dieses Gedächtnis befragen',
    askHint: 'Eine Frage in Ihren eigenen Worten',
    recall: 'Abrufen',
    clear: 'Alle Einträge anzeigen',
    create: 'Neuer Eintrag',
    tags: 'Schlagwörter, durch Kommas getrennt',
    records: (count: number, isAll: boolean, total: number | undefined) =>
      isAll
        ? records(count)
        : total === undefined
          ? `${records(count)} geladen`
          : `${count.toLocaleString('de')} von ${records(total)} geladen`,
    found: (count: number) => `${records(count)} gefunden`,
    foundMore: (count: number) =>
      `Die besten ${String(count)} Einträge, und es gibt mehr. Fragen Sie genauer, oder filtern Sie.`,
    chips:
      'Neben jedem Eintrag stehen die Wörter der Frage, die er enthält, und in wie vielen Einträgen jedes ' +
      'vorkommt: je seltener ein Wort, desto mehr zählt es.',
    why: 'Gefunden durch',
    nearby: 'in der Nähe',
    rarity: (count: number) => counted(count, 'Eintrag enthält es', 'Einträge enthalten es'),
    distance: (distance: number) =>
      `Abstand ${distance.toLocaleString('de', { maximumFractionDigits: 3 })}`,
    empty: 'Keine Einträge',
    emptyText: 'In diesem Bereich ist nichts gespeichert, oder die Filter schließen alles aus.',
    emptyFound: 'Keine Treffer',
    emptyFoundText: 'Kein Eintrag enthält ein Wort der Frage. Fragen Sie mit anderen Worten.',
    at: 'Stand vom',
    now: 'Jetzt',
    atText: (time: string) => `Dies ist der Stand vom ${time}.`,
    missing: (count: number) =>
      count === 1
        ? 'Ein Eintrag von damals ist nicht mehr gespeichert und wird nicht gezeigt.'
        : `${records(count)} von damals sind nicht mehr gespeichert und werden nicht gezeigt.`,
    completeFrom: (time: string) => `Der Verlauf dieses Bereichs ist ab ${time} vollständig.`,
    showEarliest: 'Diesen Stand zeigen',
    oldest: (time: string) => `ältester Eintrag: ${time}`,
    backToNow: 'Zum aktuellen Stand',
    changed: (count: number) => counted(count, 'Änderung seitdem', 'Änderungen seitdem'),
    noText: 'Kein Text',
    list: 'Einträge',
    noScope: 'Die Adresse nennt keinen Bereich',
  },
  record: {
    title: 'Eintrag',
    edit: 'Bearbeiten',
    delete: 'Löschen',
    redact: 'Schwärzen',
    restore: 'Wiederherstellen',
    content: 'Inhalt',
    primary: 'Text',
    secondary: 'Zweiter Text',
    context: 'Kontext',
    data: 'Daten (JSON)',
    metadata: 'Metadaten (JSON-Objekt)',
    name: 'Name',
    tags: 'Schlagwörter',
    type: 'Art',
    event: 'Ereignis',
    eventTime: 'Zeitpunkt des Ereignisses',
    validUntil: 'Gültig bis',
    source: 'Quelle',
    author: 'Autor',
    merged: 'Übernommen von',
    created: 'Erstellt',
    modified: 'Geändert',
    revision: 'Revision',
    id: 'ID',
    history: 'Verlauf',
    revisions: (revision: number) => `Revision ${revision}`,
    isCurrent: 'aktuell',
    touches: {
      title: 'Änderungen an diesem Eintrag',
      deeds: {
        created: () => 'hat ihn erstellt',
        changed: (revision: number) => `hat Revision ${String(revision)} erstellt`,
        deleted: () => 'hat ihn gelöscht',
        redacted: (revision: number) => `hat Revision ${String(revision)} geschwärzt`,
      },
      newest: (count: number) => `Dies sind die neuesten ${String(count)} Revisionen.`,
      audit: 'Prüfprotokoll dieses Eintrags',
      readBy: 'Gelesen von',
      reads: (count: number) =>
        count === 1 ? 'ein Lesezugriff, zuletzt' : `${String(count)} Lesezugriffe, zuletzt`,
      unread: (days: number) => `Keine Lesezugriffe in den letzten ${String(days)} Tagen.`,
      moreReaders: 'Es gibt weitere Leser.',
    },
    wasDeleted: 'Der Eintrag wurde gelöscht.',
    wasRedacted: 'Der Inhalt dieser Revision wurde endgültig entfernt.',
    first: 'Erste Revision',
    nothingChanged: 'Keine Änderungen.',
    sources: 'Abgeleitet von',
    dependents: 'Davon abgeleitet',
    lost: (reason: string) => `diese Quelle: ${reason}`,
    by: (name: string) => `von ${name}`,
    deleteTitle: 'Diesen Eintrag löschen?',
    deleteText:
      'Der Inhalt wird entfernt. Davon abgeleitete Einträge bleiben, sofern Sie nichts anderes wählen.',
    deleteConflict: 'Dieser Eintrag wurde geändert, bevor Sie ihn gelöscht haben',
    deleteChanged: 'Aktuellen Stand löschen',
    cascade: 'Auch davon abgeleitete Einträge löschen',
    redactTitle: (revision: number) => `Inhalt von Revision ${revision} endgültig entfernen?`,
    redactText: 'Der Inhalt lässt sich danach weder lesen noch wiederherstellen.',
    newTitle: 'Neuer Eintrag',
    editTitle: 'Eintrag bearbeiten',
    conflict: 'Dieser Eintrag wurde während der Bearbeitung geändert',
    conflictText: (revision: number, author: string) =>
      `Aktuell ist Revision ${revision} von ${author}. Unterschiede zu Ihrem Ausgangsstand:`,
    keepMine: 'Meine Fassung speichern',
    takeTheirs: 'Andere Fassung übernehmen',
    badJson: 'Das ist kein JSON-Objekt.',
    badData: 'Das ist kein JSON.',
    waitsTitle: 'Vorschlag eingereicht',
    waits: 'Ihre Änderung wartet auf Prüfung.',
    gone: 'Diesen Eintrag gibt es nicht, oder er wurde gelöscht',
    goneText: 'Die Adresse ist möglicherweise veraltet.',
  },
  ...germanInvitationTexts,
  ...germanLearningTexts,
  ...germanBasisTexts,
  ...germanMemoryTexts,
  ...germanReviewTexts,
  ...germanCredentialTexts,
  ...germanPeopleTexts,
  ...germanAccessTexts,
  ...germanAuditTexts,
  ...germanMachineTexts,
  ...germanSettingTexts,
  ...germanPauseTexts,
  ...germanSupersedingTexts,
  ...germanCodingAgentTexts,
};
