/**
 * One record: the list of the changes that took effect. Its revision is the length of the list.
 * @module
 */
import type { Receipt } from '@agentkeep/core';
import type { Change, Command, Shown } from './call.js';
import type { SequentialModel } from './linearizability.js';

/** What happens to one record. */
export type RecordEvent =
  | {
      readonly type: 'command';
      readonly command: Command;
      readonly author: string;
      /** Absent if nobody knows whether it took effect. */
      readonly receipt?: Receipt;
    }
  | { readonly type: 'conflict' | 'absence'; readonly command: Command }
  /** `undefined` says that there is no such record. */
  | { readonly type: 'look'; readonly shown: Shown | undefined };

/** A change that took effect. */
interface Effect {
  readonly command: Command;
  readonly author: string;
}

type Effects = readonly Effect[];

const ACTIONS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

/**
 * What a record answers.
 * @param repeated Keys that several calls use, as {@link keyOf} names them: that they took effect
 * long ago matters still.
 */
export function recordModel(repeated: ReadonlySet<string>): SequentialModel<Effects, RecordEvent> {
  return {
    initial: [],
    next: nextEffects,
    keyOf(effects) {
      const told = effects.filter(
        ({ command }, index) => index === effects.length - 1 || repeated.has(keyOf(command)),
      );
      const lines = told.map(({ command, author }) => `${identity(command)} ${author}`);
      return `${effects.length} ${lines.join(' ')}`;
    },
  };
}

/** Names the key of a command. */
export function keyOf({ subject, key }: Command): string {
  return JSON.stringify([subject, key]);
}

/** Tells commands apart that are not the same. */
export function identity({ subject, key, change, text }: Command): string {
  return JSON.stringify([subject, key, change, text]);
}

function nextEffects(effects: Effects, event: RecordEvent): Effects | undefined {
  switch (event.type) {
    case 'command':
      return afterCommand(effects, event);
    case 'conflict':
      return isReplay(effects, event.command) ||
        effects.length === 0 ||
        expected(event.command.change) === effects.length
        ? undefined
        : effects;
    case 'absence':
      return !isReplay(effects, event.command) &&
        (effects.length === 0 ||
          (isDeleted(effects) && expected(event.command.change) === effects.length))
        ? effects
        : undefined;
    case 'look':
      return isShown(effects, event.shown) ? effects : undefined;
  }
}

function afterCommand(
  effects: Effects,
  event: Extract<RecordEvent, { type: 'command' }>,
): Effects | undefined {
  const { command, author, receipt } = event;
  const revision = effects.findIndex((each) => isSameKey(each.command, command)) + 1;
  if (revision > 0) {
    // Without a receipt it is one that came to nothing, and need not be put in order.
    const isReplay =
      receipt !== undefined &&
      identity(effects[revision - 1]!.command) === identity(command) &&
      isReceiptOf(receipt, effects[revision - 1]!, revision);
    return isReplay ? effects : undefined;
  }
  const isCreate = command.change.type === 'create';
  if (isCreate !== (effects.length === 0) || isDeleted(effects)) return undefined;
  if (expected(command.change) !== effects.length) return undefined;
  const effect = { command, author };
  const isTold = receipt === undefined || isReceiptOf(receipt, effect, effects.length + 1);
  return isTold ? [...effects, effect] : undefined;
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

function isReplay(effects: Effects, command: Command): boolean {
  return effects.some((each) => isSameKey(each.command, command));
}

function expected(change: Change): number {
  return change.type === 'create' ? 0 : change.expectedRevision;
}

function isDeleted(effects: Effects): boolean {
  return effects.at(-1)?.command.change.type === 'delete';
}

function isShown(effects: Effects, shown: Shown | undefined): boolean {
  const last = effects.at(-1);
  if (shown === undefined) return last === undefined || isDeleted(effects);
  return (
    last !== undefined &&
    !isDeleted(effects) &&
    shown.revision === effects.length &&
    shown.text === last.command.text &&
    shown.author === last.author
  );
}
