/** The texts of sessions of coding agents in German. */
import type { codingAgentTexts } from '../en/coding-agents.js';
import type { Translated } from '../translated.js';
import { counted } from './counted.js';

/** These texts. */
export const germanCodingAgentTexts: Translated<typeof codingAgentTexts> = {
  codingAgents: {
    open: 'Coding-Agenten',
    title: 'Coding-Agenten',
    about:
      'Was Sitzungen von Coding-Agenten gespeichert haben und wo. Was sie abgerufen haben, steht im Protokoll ihres Rechners: agentkeep memory today.',
    count: (sessions: number, records: number) =>
      `${counted(sessions, 'Sitzung', 'Sitzungen')} aus ${counted(records, 'Eintrag', 'Einträgen')}`,
    session: 'Sitzung',
    scope: 'Bereich',
    records: 'Einträge',
    newest: 'Neuester',
    unknown: 'nicht angegeben',
    empty: 'Keine Sitzungen von Coding-Agenten',
    emptyText: 'Verbinden Sie einen Coding-Agenten mit agentkeep install.',
  },
};
