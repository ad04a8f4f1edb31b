/** How conversations become memory: scopes, records and idempotency keys. */
import type { RecordInput, Scope } from '@agentkeep/core';
import { type Conversation, sortablePlace, type Turn } from './read-dialogues.js';

/** The project of all conversations. */
export const PROJECT_ID = 'dialogues';
/** The agent id of all records. */
export const AGENT_ID = 'archivist';

/** Scope of the turns of a conversation, visible to all its speakers. */
export function sharedScope(conversation: string): Scope {
  return {
    project_id: PROJECT_ID,
    mission_id: conversation,
    agent_id: AGENT_ID,
    visibility: 'shared',
  };
}

/** Scope of speakers' notes. It has one name, but each subject sees only its own records. */
export function privateScope(conversation: string): Scope {
  return { ...sharedScope(conversation), visibility: 'private' };
}

/** Returns the subject of a speaker. The same name in another conversation is another subject. */
export function subjectOf(conversation: string, speaker: string): string {
  return `${conversation}/${speaker}`;
}

/** Returns the speaker of a subject. */
export function speakerOf(conversation: string, subject: string): string {
  return subject.slice(subjectOf(conversation, '').length);
}

/** Returns the tag of all turns of a session. */
export function sessionTag(session: number): string {
  return `session:${session}`;
}

/** Returns the tag of all turns of a speaker. */
export function speakerTag(speaker: string): string {
  return `speaker:${speaker}`;
}

/** A record that a speaker stores, and its idempotency key. */
export interface Intent {
  readonly conversation: string;
  readonly speaker: string;
  readonly scope: Scope;
  readonly record: RecordInput;
  readonly idempotencyKey: string;
}

/** Returns the intent of a turn. Keys that sort in order keep neighbours together on disk. */
export function turnIntent(turn: Turn): Intent {
  return {
    conversation: turn.conversation,
    speaker: turn.speaker,
    scope: sharedScope(turn.conversation),
    idempotencyKey: `${turn.conversation}/turn/${sortablePlace(turn.turn)}`,
    record: {
      episode_type: 'Conversation',
      content: { primary: turn.text, secondary: turn.imageCaption },
      event_time_millis: turn.atMillis,
      tags: [sessionTag(turn.session), speakerTag(turn.speaker)],
      metadata: { turn: turn.turn },
    },
  };
}

/** One private note per session and speaker: how often the speaker spoke, and the last words. */
export function noteIntents({ id, turns }: Conversation): Intent[] {
  const notes = new Map<string, { last: Turn; times: number }>();
  for (const turn of turns) {
    const name = JSON.stringify([turn.session, turn.speaker]);
    notes.set(name, { last: turn, times: (notes.get(name)?.times ?? 0) + 1 });
  }
  return [...notes.values()].map(({ last, times }) => noteIntent(id, last, times));
}

function noteIntent(conversation: string, last: Turn, times: number): Intent {
  const { session, speaker, atMillis, text } = last;
  return {
    conversation,
    speaker,
    scope: privateScope(conversation),
    idempotencyKey: `${conversation}/note/${sortablePlace(String(session))}`,
    record: {
      episode_type: 'Observation',
      content: { primary: `In session ${session} I spoke ${times} times. My last words: ${text}` },
      event_time_millis: atMillis,
      tags: [sessionTag(session)],
    },
  };
}
