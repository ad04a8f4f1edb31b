/**
 * Other spellings of a command, commands that differ a little, and the call that sends one.
 */
import type { Agent, RecordInput, ScopeInput } from '@agentkeep/core';
import type { OutputOf } from '@agentkeep/core/clients';
import { type Command, isNamed } from '../../models/memory-command.js';
import type { Filter } from '../../models/memory-filter.js';
import { VERSION } from '../vocabulary.js';

/** Sends a command through the embedded client. */
export async function sendThrough(
  { memory }: Agent,
  { scope, operation, idempotency_key: idempotencyKey }: Command,
): Promise<OutputOf<'executeMemoryCommand'>> {
  const options = { idempotencyKey };
  if (operation.type === 'create') {
    return { ...VERSION, receipt: await memory.in(scope).create(operation.record, options) };
  }
  if (isNamed(operation)) {
    const { name, expected_revision: expectedRevision } = operation;
    if (operation.type === 'remove') {
      const target = { name, expectedRevision };
      const erasure = { ...options, dependents: operation.dependents };
      return { ...VERSION, receipt: await memory.in(scope).delete(target, erasure) };
    }
    const named = { ...options, expectedRevision };
    return { ...VERSION, receipt: await memory.in(scope).put(name, operation.record, named) };
  }
  const { record_id: recordId } = operation;
  if (operation.type === 'redact') {
    const { revision, dependents } = operation;
    const target = { recordId, revision };
    const erasure = { ...options, dependents };
    return { ...VERSION, receipt: await memory.in(scope).redact(target, erasure) };
  }
  const { expected_revision: expectedRevision } = operation;
  if (operation.type === 'restore') {
    const restored = { recordId, expectedRevision, revision: operation.revision };
    return { ...VERSION, receipt: await memory.in(scope).restore(restored, options) };
  }
  const target = { recordId, expectedRevision };
  if (operation.type === 'update') {
    return {
      ...VERSION,
      receipt: await memory.in(scope).update(target, operation.record, options),
    };
  }
  const erasure = { ...options, dependents: operation.dependents };
  return { ...VERSION, receipt: await memory.in(scope).delete(target, erasure) };
}

/** A scope as query parameters, which have no null. */
export function parametersOf({ mission_id, ...rest }: ScopeInput) {
  return { ...VERSION, ...rest, ...(typeof mission_id === 'string' ? { mission_id } : {}) };
}

/** The filter as the embedded client takes it, and the options after it. */
export function queryOf({ after, limit, scan_limit: scanLimit, ...filter }: Filter) {
  return [filter, { after, limit, scanLimit }] as const;
}

/** The command with the data of another owner in its record, if it has one. */
export function ownedBy(command: Command, own: object): Command {
  return withRecord(command, (record) => {
    const data = { ...(record.content.data as object), ...own };
    return { ...record, content: { ...record.content, data } };
  });
}

/** The same command with defaults written out, members reversed and ids in upper case. */
export function respelled(command: Command): Command {
  const again = withRecord(command, ({ content, ...rest }) => {
    const { secondary = null, context = null } = content;
    const embedding = content.embedding?.map(Math.fround) ?? null;
    return {
      metadata: {},
      tags: [],
      valid_until_millis: null,
      ...(backwards(rest) as typeof rest),
      content: backwards({ ...content, secondary, context, embedding }) as typeof content,
    };
  });
  const { operation } = again;
  if (!('record_id' in operation)) return again;
  return { ...again, operation: { ...operation, record_id: operation.record_id.toUpperCase() } };
}

/** A command with the same key that differs in one member. */
export function changed(command: Command): Command {
  const { operation } = command;
  if (operation.type === 'redact' || operation.type === 'restore') {
    return { ...command, operation: { ...operation, revision: operation.revision + 1 } };
  }
  if (operation.type === 'delete' || operation.type === 'remove') {
    const expected_revision = (operation.expected_revision ?? 0) + 1;
    return { ...command, operation: { ...operation, expected_revision } };
  }
  return withRecord(command, (record) => {
    const primary = `${record.content.primary}!`;
    return { ...record, content: { ...record.content, primary } };
  });
}

function withRecord(command: Command, change: (record: RecordInput) => RecordInput): Command {
  const { operation } = command;
  if (!('record' in operation)) return command;
  return { ...command, operation: { ...operation, record: change(operation.record) } };
}

/** The value with the members of all its objects in reverse order. */
function backwards(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(backwards);
  const members = Object.entries(value).map(([name, member]) => [name, backwards(member)]);
  return Object.fromEntries(members.reverse());
}
