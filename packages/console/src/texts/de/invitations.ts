/** The texts of invitations, changes of accounts, the overview and discarding in German. */
import { counted } from './counted.js';
import type { texts } from '../en/english.js';
import type { invitationTexts } from '../en/invitations.js';
import type { overviewTexts } from '../en/overview.js';
import type { Translated } from '../translated.js';

type Discarding = Pick<typeof texts, 'lose' | 'loseSecret'>;

/** These texts. */
export const germanInvitationTexts: Translated<
  typeof invitationTexts & typeof overviewTexts & Discarding
> = {
  lose: {
    title: 'Eingaben verwerfen?',
    text: 'Sie sind nicht gespeichert.',
    stay: 'Weiter bearbeiten',
    lose: 'Verwerfen',
  },
  loseSecret: {
    title: 'Haben Sie das Geheimnis aufbewahrt?',
    text: 'Es wird nur dieses eine Mal angezeigt. Ohne es müssen Sie ein neues ausstellen.',
    stay: 'Zurück zum Geheimnis',
    lose: 'Ohne Geheimnis verlassen',
  },
  overview: {
    title: 'Übersicht',
    stored: 'Gespeichert',
    records: (records: number) => counted(records, 'Eintrag', 'Einträge'),
    inScopes: (scopes: number, isAll: boolean) =>
      `in ${isAll ? '' : 'den ersten '}${counted(scopes, 'Bereich', 'Bereichen')}`,
    others: (scopes: number, records: number) =>
      `davon ${counted(records, 'Eintrag', 'Einträge')} in ` +
      `${counted(scopes, 'Bereich', 'Bereichen')} ohne Leseberechtigung`,
    activity: 'Letzte 24 Stunden',
    changed: (records: number, isAll: boolean) =>
      `${isAll ? '' : 'Mindestens '}${counted(records, 'Eintrag', 'Einträge')} geändert`,
    unchanged: 'Keine geänderten Einträge',
    changedBy: (authors: string, others: number) =>
      `von ${authors}${others === 0 ? '' : ` und ${counted(others, 'weiteren', 'weiteren')}`}`,
    changedScopes: (scopes: number) => `in ${counted(scopes, 'Bereich', 'Bereichen')}`,
    newestScopes: (most: number) => `Gezählt in den ${String(most)} zuletzt geänderten Bereichen.`,
    log: 'Prüfprotokoll öffnen',
    waiting: 'Zu prüfen',
    proposals: (count: number, isAll: boolean) =>
      `${counted(count, 'Vorschlag', 'Vorschläge')}${isAll ? '' : ' oder mehr'}`,
    noProposals: 'Keine offenen Vorschläge',
    oldest: (age: string) => `Der älteste wartet seit: ${age}.`,
    review: 'Prüfung öffnen',
    failing: 'Handlungsbedarf',
    fine: 'Keine Probleme gefunden',
    webhooks: (count: number) => `${counted(count, 'Webhook stellt', 'Webhooks stellen')} nicht zu`,
    deadLetters: (count: number) =>
      `${counted(count, 'Änderung konnte', 'Änderungen konnten')} nicht zugestellt werden`,
    erasures: (count: number) => `${counted(count, 'Löschung läuft', 'Löschungen laufen')} noch`,
    locked: (count: number, isAll: boolean) =>
      `${counted(count, 'Name ist', 'Namen sind')} gesperrt${isAll ? '' : ', oder mehr'}`,
  },
  invite: {
    open: 'Person einladen',
    needs: (permission) =>
      `Zum Einladen melden Sie sich mit einem Geheimnis oder Konto an, das die Berechtigung ${permission} hat.`,
    text: 'Erstellt ein Konto mit einer Rolle. Sie erhalten einen Link zum Versenden; nur wer ihn öffnet, kennt das Kennwort.',
    name: 'E-Mail-Adresse oder Benutzername',
    nameHint: 'Der Name für die Anmeldung.',
    role: 'Rolle',
    roles: {
      reader: 'Lesen: liest das Gedächtnis',
      writer: 'Schreiben: liest und ändert das Gedächtnis',
      proposer: 'Vorschlagen: liest und schlägt Änderungen vor',
      reviewer: 'Prüfen: liest und entscheidet über Vorschläge',
      admin: 'Administration: verwaltet Benutzer und Zugangsdaten',
    },
    installationRoles: {
      reader: 'Lesen: sieht die Mandanten',
      admin: 'Administration: verwaltet Mandanten und Installation',
    },
    scopes: {
      title: (number: number) => `Bereich ${number}`,
      add: 'Bereich hinzufügen',
      remove: (number: number) => `Bereich ${number} entfernen`,
    },
    days: 'Gültigkeit des Links in Tagen',
    daysHint: '1 bis 30.',
    go: 'Einladen',
    link: {
      title: 'Senden Sie diesen Link',
      text: 'Er wird einmal angezeigt und gilt einmal. Senden Sie ihn so, dass nur diese Person ihn liest.',
      label: 'Link',
      done: 'Ich habe ihn aufbewahrt',
    },
  },
  invitations: {
    title: 'Einladungen',
    about: 'Personen, die noch kein Kennwort festgelegt haben.',
    name: 'Person',
    role: 'Rolle',
    state: 'Status',
    states: { waiting: 'offen', expired: 'abgelaufen', revoked: 'widerrufen' },
    roles: {
      reader: 'Lesen',
      writer: 'Schreiben',
      proposer: 'Vorschlagen',
      reviewer: 'Prüfen',
      admin: 'Administration',
    },
    expires: 'Link gültig bis',
    actions: 'Aktionen',
    renew: 'Neuer Link',
    renewName: (name: string) => `Neuer Link für ${name}`,
    revoke: 'Widerrufen',
    revokeName: (name: string) => `Einladung von ${name} widerrufen`,
    revokeTitle: (name: string) => `Einladung von ${name} widerrufen?`,
    revokeText:
      'Der Link wird ungültig, und das Konto bleibt bis zu einer neuen Einladung deaktiviert.',
    revokeGo: 'Einladung widerrufen',
  },
  accountChanges: {
    roles: 'Rollen ändern',
    rolesTitle: (name: string) => `Rollen von ${name} ändern`,
    rolesLabel: 'Rollen, durch Kommas getrennt',
    rolesHint: 'Admin und SuperAdmin verwalten Konten. Alle Sitzungen des Kontos enden.',
    link: 'Link zum Zurücksetzen',
    linkTitle: (name: string) => `Link zum Zurücksetzen für ${name} erstellen?`,
    linkText:
      'Sie erhalten einen Link zum Versenden, der innerhalb eines Tages einmal ein neues Kennwort festlegt. Dann enden alle Sitzungen des Kontos.',
    linkGo: 'Link erstellen',
    reset: 'Kennwort zurücksetzen',
    resetTitle: (name: string) => `Kennwort von ${name} zurücksetzen?`,
    resetText:
      'Sie erhalten ein neues Kennwort zur Übergabe. Alle Sitzungen und verbundenen Programme enden.',
    resetDone: {
      title: 'Das neue Kennwort',
      text: 'Es wird einmal angezeigt. Nach der Anmeldung sollte es geändert werden.',
      label: 'Kennwort',
      done: 'Ich habe es aufbewahrt',
    },
    deactivate: 'Deaktivieren',
    deactivateTitle: (name: string) => `${name} deaktivieren?`,
    deactivateText: 'Das Konto wird überall abgemeldet und bleibt bis zur Aktivierung gesperrt.',
    activate: 'Aktivieren',
    delete: 'Löschen',
    deleteTitle: (name: string) => `Konto ${name} löschen?`,
    deleteText:
      'Sitzungen, API-Schlüssel und verbundene Programme enden endgültig. Der Benutzername bleibt vergeben.',
    deleteGo: 'Konto löschen',
  },
  ownPassword: {
    about: 'Ein neues Kennwort meldet Sie überall ab, auch hier. API-Schlüssel bleiben gültig.',
    current: 'Aktuelles Kennwort',
    next: 'Neues Kennwort',
    again: 'Neues Kennwort wiederholen',
    rule: 'Mindestens 12 Zeichen mit Großbuchstabe, Kleinbuchstabe, Ziffer und Sonderzeichen.',
    differ: 'Die beiden neuen Kennwörter sind verschieden.',
    go: 'Kennwort ändern',
    changed: 'Ihr Kennwort ist geändert. Melden Sie sich mit dem neuen an.',
  },
};
