/**
 * Model of one record: the list of its revisions, and what was redacted of it.
 */
import type { Receipt } from '@agentkeep/core';
import type { Command, Shown } from './call.js';
import type { SequentialModel } from './linearizability.js';

/** An event of a record. */
export type RecordEvent =
  | {
      readonly type: 'command';
      readonly command: Command;
      readonly author: string;
      /** Absent if the outcome is unknown. */
      readonly receipt?: Receipt;
    }
  | { readonly type: 'conflict' | 'absence' | 'current'; readonly command: Command }
  /** `undefined` if the record does not exist. */
  | { readonly type: 'look'; readonly shown: Shown | undefined };

/** A change that took effect. */
interface Effect {
  readonly command: Command;
  readonly author: string;
  /** The text of the record after it; empty for a deletion. */
  readonly text: string;
}

/** What happened to a record. */
interface State {
  /** One for each revision. */
  readonly made: readonly Effect[];
  /** Redactions, in no order that matters. */
  readonly redactions: readonly Effect[];
}

const ACTIONS = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  restore: 'restored',
  redact: 'redacted',
} as const;

/** The model of a record. */
export const recordModel: SequentialModel<State, RecordEvent> = {
  initial: { made: [], redactions: [] },
  next: nextState,
  keyOf({ made, redactions }) {
    const line = ({ command, author, text }: Effect) => `${identity(command)} ${author} ${text}`;
    return [...made.map(line), 'redacted', ...redactions.map(line).toSorted()].join(' ');
  },
};

/** Returns a text that identifies a command. */
export function identity({ subject, key, change, text }: Command): string {
  return JSON.stringify([subject, key, change, text]);
}

function nextState(state: State, event: RecordEvent): State | undefined {
  if (event.type === 'look') return isShown(state, event.shown) ? state : undefined;
  if (event.type === 'command') return afterCommand(state, event);
  const isTrue = !isReplay(state, event.command) && refusalOf(state, event.command) === event.type;
  return isTrue ? state : undefined;
}

/** A superseded revision is kept while the current one is at most this much beyond it (HIS-34). */
const BEYOND_MAX = 100;

/** Returns how a new command is refused, or `undefined`. */
function refusalOf(
  state: State,
  { change }: Command,
): 'conflict' | 'absence' | 'current' | undefined {
  const { made } = state;
  if (change.type === 'create') return made.length === 0 ? undefined : 'conflict';
  if (made.length === 0) return 'absence';
  if (change.type !== 'redact' && change.expectedRevision !== made.length) return 'conflict';
  if (isDeleted(state)) return 'absence';
  if (change.type === 'redact') {
    if (change.revision === made.length) return 'current';
    return isHeld(state, change.revision) ? undefined : 'absence';
  }
  const isGone = change.type === 'restore' && textAt(state, change.revision) === undefined;
  return isGone ? 'absence' : undefined;
}

/** Returns whether a revision was made, and is kept. */
function isHeld({ made }: State, revision: number): boolean {
  return revision <= made.length && made.length - revision <= BEYOND_MAX;
}

/** Returns the text of a revision, or `undefined` if there is none. */
function textAt(state: State, revision: number): string | undefined {
  const { made, redactions } = state;
  const isRedacted = redactions.some(({ command: { change } }) => {
    return change.type === 'redact' && change.revision === revision;
  });
  return isRedacted || !isHeld(state, revision) ? undefined : made[revision - 1]?.text;
}

function afterCommand(
  state: State,
  event: Extract<RecordEvent, { type: 'command' }>,
): State | undefined {
  const { command, author, receipt } = event;
  const { made, redactions } = state;
  const known = [...made, ...redactions].find((each) => isSameKey(each.command, command));
  if (known !== undefined) {
    // Without a receipt it had no effect, and needs no place in the order.
    const isSame =
      receipt !== undefined &&
      identity(known.command) === identity(command) &&
      isReceiptOf(receipt, known, revisionOf(known, made.indexOf(known)));
    return isSame ? state : undefined;
  }
  if (refusalOf(state, command) !== undefined) return undefined;
  const { change } = command;
  const text = change.type === 'restore' ? (textAt(state, change.revision) ?? '') : command.text;
  const effect = { command, author, text };
  const isTold =
    receipt === undefined || isReceiptOf(receipt, effect, revisionOf(effect, made.length));
  if (!isTold) return undefined;
  return change.type === 'redact'
    ? { made, redactions: [...redactions, effect] }
    : { made: [...made, effect], redactions };
}

/** Returns the revision that the receipt of an effect names. */
function revisionOf({ command: { change } }: Effect, index: number): number {
  return change.type === 'redact' ? change.revision : index + 1;
}

function isReceiptOf(receipt: Receipt, { command, author }: Effect, revision: number): boolean {
  const { subject, key, change } = command;
  return (
    receipt.idempotency_key === key &&
    receipt.revision === revision &&
    receipt.action === ACTIONS[change.type] &&
    (change.type === 'create' || change.recordId === receipt.record_id) &&
    receipt.author.credential_id === author &&
    receipt.author.subject_id === subject
  );
}

function isSameKey(one: Command, other: Command): boolean {
  return one.subject === other.subject && one.key === other.key;
}

function isReplay({ made, redactions }: State, command: Command): boolean {
  return [...made, ...redactions].some((each) => isSameKey(each.command, command));
}

function isDeleted({ made }: State): boolean {
  return made.at(-1)?.command.change.type === 'delete';
}

function isShown(state: State, shown: Shown | undefined): boolean {
  const last = state.made.at(-1);
  if (shown === undefined) return last === undefined || isDeleted(state);
  return (
    last !== undefined &&
    !isDeleted(state) &&
    shown.revision === state.made.length &&
    shown.text === last.text &&
    shown.author === last.author
  );
}
