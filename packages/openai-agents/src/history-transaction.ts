/** Checks the arguments of a history transaction and names it by digests. */
import {
  type AgentInputItem,
  protocol,
  type SessionHistoryTransaction,
  type SessionHistoryTransactionArgs,
  UserError,
} from '@openai/agents-core';
import { canonicalItems, readItems, writeItems } from './item-json.js';
import type { Operation } from './session-state.js';

/** Members of each type of transaction, besides the type; all hold items. */
const members = {
  append_items: ['items'],
  replace_suffix: ['expectedSuffix', 'replacement'],
} as const;

/**
 * Checks the arguments of a transaction and returns a copy of it.
 * @throws {UserError} when they break the contract of transactions.
 */
export function checkedTransaction(args: SessionHistoryTransactionArgs): SessionHistoryTransaction {
  const { operationId, transaction } = Object(args) as Partial<SessionHistoryTransactionArgs>;
  if (typeof operationId !== 'string' || operationId.trim() === '') {
    throw new UserError('The operationId of a history transaction is a text that is not blank.');
  }
  const { type, ...lists } = Object(transaction) as SessionHistoryTransaction;
  if (!Object.hasOwn(members, type)) {
    throw new UserError('A history transaction appends items or replaces a suffix.');
  }
  const given = Object.entries(lists).sort(([one], [other]) => (one < other ? -1 : 1));
  if (given.map(([name]) => name).join() !== members[type].join()) {
    throw new UserError(`A transaction ${type} has ${members[type].join(' and ')}, nothing else.`);
  }
  const copies = given.map(([name, items]) => [name, checkedItems(items)] as const);
  return { type, ...Object.fromEntries(copies) } as SessionHistoryTransaction;
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
