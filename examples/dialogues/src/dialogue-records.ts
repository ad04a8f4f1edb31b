/**
 * How conversations become memory: which scope, which record, and which idempotency key.
 * @module
 */
import type { RecordInput, Scope } from '@agentkeep/core';
import { type Conversation, sortablePlace, type Turn } from './read-dialogues.js';

/** The project that all conversations belong to. */
export const PROJECT_ID = 'dialogues';
/** The agent on whose behalf everything is kept. */
export const AGENT_ID = 'archivist';

/** Where the turns of a conversation are: all its speakers see the same records. */
export function sharedScope(conversation: string): Scope {
  return {
    project_id: PROJECT_ID,
    mission_id: conversation,
    agent_id: AGENT_ID,
    visibility: 'shared',
  };
}

/** Where a speaker keeps notes: one scope in name, and in it each subject sees its own alone. */
export function privateScope(conversation: string): Scope {
  return { ...sharedScope(conversation), visibility: 'private' };
}

/** A speaker is somebody within one conversation: the same name elsewhere is somebody else. */
export function subjectOf(conversation: string, speaker: string): string {
  return `${conversation}/${speaker}`;
}

/** The speaker whom a subject stands for. */
export function speakerOf(conversation: string, subject: string): string {
  return subject.slice(subjectOf(conversation, '').length);
}

/** The tag of all turns of a session. */
export function sessionTag(session: number): string {
  return `session:${session}`;
}

/** The tag of all turns of a speaker. */
export function speakerTag(speaker: string): string {
  return `speaker:${speaker}`;
}

/** A record that a speaker is to store, and the name of that intent. */
export interface Intent {
  readonly conversation: string;
  readonly speaker: string;
  readonly scope: Scope;
  readonly record: RecordInput;
  readonly idempotencyKey: string;
}

/** What makes a turn a record. Keys that sort in order keep what is stored together on disk. */
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

/** One private note for each session and each speaker in it: how often it spoke, and what last. */
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
