/** The texts of sessions of coding agents in English. */
import { counted } from '../counted.js';

/** These texts. */
export const codingAgentTexts = {
  codingAgents: {
    open: 'Coding agents',
    title: 'Coding agents',
    about:
      'What sessions of coding agents stored, and where. What they recalled is in the log of their machine: agentkeep memory today.',
    count: (sessions: number, records: number) =>
      `${counted(sessions, 'session', 'sessions')}, from ${counted(records, 'record', 'records')}`,
    session: 'Session',
    scope: 'Scope',
    records: 'Records',
    newest: 'Newest',
    unknown: 'not stated',
    empty: 'No sessions of coding agents',
    emptyText: 'Connect a coding agent with agentkeep install. Its sessions appear here.',
  },
} as const;
