/** The texts of the audit log in German. */
import { counted } from './counted.js';
import type { auditTexts } from '../en/audit.js';
import type { Translated } from '../translated.js';

/** These texts. */
export const germanAuditTexts: Translated<typeof auditTexts> = {
  audit: {
    title: 'Prüfprotokoll',
    about: 'Anmeldungen, abgelehnte Anfragen und Änderungen von Berechtigungen, neueste zuerst.',
    empty: 'Keine passenden Ereignisse',
    emptyText: 'Ändern Sie die Filter, um mehr zu sehen.',
    event: 'Ereignis',
    anyEvent: 'Alle Ereignisse',
    result: 'Ergebnis',
    anyResult: 'Alle Ergebnisse',
    username: 'Benutzer',
    action: 'Aktion',
    resource: 'Ressource',
    resourceHint: 'Zum Beispiel record:<id> oder user:<id>',
    time: 'Zeit',
    address: 'Adresse',
    from: 'Von',
    until: 'Bis',
    details: 'Einzelheiten',
    live: 'Neue Ereignisse erscheinen automatisch.',
    arrived: (count: number) => `${counted(count, 'neues Ereignis', 'neue Ereignisse')}.`,
  },
  chain: {
    title: 'Protokollkette prüfen',
    about:
      'Jedes Ereignis enthält den Digest des vorherigen. Der Server prüft alle Ereignisse vom ältesten bis zum neuesten.',
    tenant: 'Mandant',
    tenantHint: 'Ohne Angabe wird das Protokoll der Installation geprüft.',
    verb: 'Prüfen',
    running: 'Die Kette wird geprüft',
    soFar: (checked: number, kept: number) =>
      `${checked.toLocaleString('de')} von ${counted(kept, 'Ereignis', 'Ereignissen')} geprüft`,
    stopped: 'Die Prüfung wurde abgebrochen. Sie hat nichts verändert.',
    holds: 'Das Protokoll ist vollständig: Kein Ereignis wurde geändert, entfernt oder verschoben.',
    breaks:
      'Das Protokoll ist nicht schlüssig. Bewahren Sie den Speicher als Beweis auf und vergleichen Sie ihn mit einem früheren Snapshot.',
    log: 'Protokoll',
    when: 'Zeitpunkt',
    verified: 'Geprüft',
    amount: (events: number, blocks: number) =>
      `${counted(events, 'Ereignis', 'Ereignisse')} in ${counted(blocks, 'Block', 'Blöcken')}`,
    kept: (events: number) => `${counted(events, 'Ereignis', 'Ereignisse')}, bis zum Digest`,
    digests:
      'Eine Kopie des Protokolls, die mit denselben Ereignissen endet, hat dieselben Digests.',
    what: 'Fehler',
    where: 'Zuerst bei Ereignis',
    chains: {
      changes: 'Änderungen',
      writes: 'Schreibvorgänge',
      logins: 'Fehlgeschlagene Anmeldungen',
      calls: 'Ablehnungen und Lesezugriffe',
    },
    reasons: {
      link_differs:
        'Dieses oder ein früheres Ereignis wurde geändert, entfernt, hinzugefügt oder verschoben.',
      block_unreadable: 'Der Block, der mit diesem Ereignis beginnt, ist nicht lesbar.',
      end_differs: 'Die neuesten Ereignisse fehlen, oder dahinter wurden andere angefügt.',
      head_missing:
        'Die Angabe, wo die Kette endet, fehlt. Dies ist das älteste gespeicherte Ereignis.',
    },
  },
};
