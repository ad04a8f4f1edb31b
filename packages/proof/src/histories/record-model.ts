/**
 * Model of one record: the list of its changes. Its revision is the length of the list.
 */
import type { Receipt } from '@agentkeep/core';
import type { Change, Command, Shown } from './call.js';
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
  | { readonly type: 'conflict' | 'absence'; readonly command: Command }
  /** `undefined` if the record does not exist. */
  | { readonly type: 'look'; readonly shown: Shown | undefined };

/** A change that took effect. */
interface Effect {
  readonly command: Command;
  readonly author: string;
}

type Effects = readonly Effect[];

const ACTIONS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

/**
 * Returns the model of a record.
 * @param repeated Keys that several calls use, as {@link keyOf} names them. Their earlier effects
 * stay part of the state.
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

/** Returns a name for the key of a command. */
export function keyOf({ subject, key }: Command): string {
  return JSON.stringify([subject, key]);
}

/** Returns a text that identifies a command. */
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
    // Without a receipt it had no effect, and needs no place in the order.
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
