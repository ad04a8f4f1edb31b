/** Checks the arguments of a history transaction and names it by digests. */
import {
  type AgentInputItem,
  protocol,
  type SessionHistoryTransaction,
  type SessionHistoryTransactionArgs,
  UserError,
} from '@openai/agents-core';
import { canonicalItems, isPlainObject, readItems, writeItems } from './item-json.js';
import type { Operation } from './session-state.js';

/** Members of each type of transaction, besides the type; all hold items. */
const members = {
  append_items: ['items'],
  replace_suffix: ['expectedSuffix', 'replacement'],
} as const;

/** The arguments of a transaction, each read once. */
export interface CheckedTransaction {
  readonly operationId: string;
  readonly transaction: SessionHistoryTransaction;
}

/**
 * Reads the arguments of a transaction once, checks them and returns a copy of them. So what is
 * checked is what is applied, also where they are getters or proxies, which it refuses.
 * @throws {UserError} when they break the contract of transactions.
 */
export function checkedTransaction(args: SessionHistoryTransactionArgs): CheckedTransaction {
  const { operationId, transaction } = readOnce(args);
  if (typeof operationId !== 'string' || operationId.trim() === '') {
    throw new UserError('The operationId of a history transaction is a text that is not blank.');
  }
  const { type, ...lists } = plainCopy(transaction) as SessionHistoryTransaction;
  if (!Object.hasOwn(members, type)) {
    throw new UserError('A history transaction appends items or replaces a suffix.');
  }
  const given = Object.entries(lists).sort(([one], [other]) => (one < other ? -1 : 1));
  if (given.map(([name]) => name).join() !== members[type].join()) {
    throw new UserError(`A transaction ${type} has ${members[type].join(' and ')}, nothing else.`);
  }
  const copies = given.map(([name, items]) => [name, checkedItems(items)] as const);
  const copy = { type, ...Object.fromEntries(copies) } as SessionHistoryTransaction;
  return { operationId, transaction: copy };
}

function readOnce(args: unknown): { operationId?: unknown; transaction?: unknown } {
  try {
    if (typeof args !== 'object') throw new TypeError('The arguments are no object.');
    const { operationId, transaction } = Object(args) as Record<string, unknown>;
    return { operationId, transaction };
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** Copies an object whose members are all plain, enumerable values. */
function plainCopy(value: unknown): object {
  try {
    // The copy loses classes, so they are looked for first. Only copying finds proxies.
    requireValues(value);
    return Object(structuredClone(value)) as object;
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** Throws for what a plain copy would change, at any depth: getters, hidden members, classes. */
function requireValues(value: unknown, above = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Uint8Array) {
    if (Reflect.ownKeys(value).length !== value.length) throw new TypeError('Bytes with members.');
    return;
  }
  if (above.has(value)) throw new TypeError('A cycle.');
  above.add(value);
  for (const key of memberKeys(value)) {
    const member = Object.getOwnPropertyDescriptor(value, key);
    const isPlain = typeof key === 'string' && member?.enumerable === true && 'value' in member;
    if (!isPlain) throw new TypeError('A member that is no plain value.');
    requireValues(member.value, above);
  }
  above.delete(value);
}

/** Returns the keys of a plain object, or those of the items of an array that has nothing else. */
function memberKeys(value: object): (string | symbol)[] {
  const keys = Reflect.ownKeys(value);
  if (!Array.isArray(value)) {
    if (!isPlainObject(value)) throw new TypeError('An object of a class.');
    return keys;
  }
  if (keys.length !== value.length + 1) throw new TypeError('An array with gaps or members.');
  return keys.filter((key) => key !== 'length');
}

function unreadable(cause: unknown): UserError {
  const error = new UserError('A history transaction has plain, enumerable values alone.');
  error.cause = cause;
  return error;
}

/** Returns the digests that name an operation. */
export async function operationOf(
  operationId: string,
  transaction: SessionHistoryTransaction,
): Promise<Operation> {
  return [await digestOf(operationId), await digestOf(transaction)];
}

function checkedItems(items: unknown): AgentInputItem[] {
  if (!Array.isArray(items)) throw new UserError('The items of a transaction are an array.');
  const copy = copiedItems(items);
  if (!copy.every((item) => protocol.ModelItem.safeParse(item).success)) {
    throw new UserError('A history transaction has something that is no item of a history.');
  }
  return copy;
}

/**
 * Returns a deep copy of items.
 * @throws {UserError} for items that can't be kept.
 */
export function copiedItems(items: readonly AgentInputItem[]): AgentInputItem[] {
  try {
    return readItems(writeItems(items));
  } catch (cause) {
    const error = new UserError('Items of a session hold JSON and bytes, nothing else.');
    error.cause = cause;
    throw error;
  }
}

async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalItems([value]));
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64url');
}
