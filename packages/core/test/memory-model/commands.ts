/**
 * Makes commands of the plans of steps, and others that are the same or nearly so.
 */
import type { MemoryClient, Receipt, RecordInput } from '../../src/index.js';
import type { Command } from '@agentkeep/testkit/memory-model';
import type { RecordPlan } from './steps.js';

/** Whose a record is; kept in it, so that a record in wrong hands gives itself away. */
export interface Mark {
  readonly tenant: string;
  /** Null when the record is shared. */
  readonly owner: string | null;
}

/** The record of a plan. */
export function recordOf(plan: RecordPlan, mark: Mark, now: number): RecordInput {
  const { primary, secondary, context, extra, embedding, validForMs, ...rest } = plan;
  return {
    ...rest,
    content: {
      primary,
      data: { mark, extra },
      ...(secondary === undefined ? {} : { secondary }),
      ...(context === undefined ? {} : { context }),
      ...(embedding === undefined ? {} : { embedding }),
    },
    ...(validForMs === undefined
      ? {}
      : { valid_until_millis: validForMs === null ? null : now + validForMs }),
  };
}

/** Whose a record is. */
export function markOf(record: RecordInput): Mark {
  return (record.content.data as { mark: Mark }).mark;
}

/** Sends a command through the embedded client. */
export function send(memory: MemoryClient, command: Command): Promise<Receipt> {
  const { scope, operation, idempotency_key: idempotencyKey } = command;
  if (operation.type === 'create')
    return memory.create(scope, operation.record, { idempotencyKey });
  const target = {
    recordId: operation.record_id,
    expectedRevision: operation.expected_revision,
  };
  return operation.type === 'update'
    ? memory.update(scope, target, operation.record, { idempotencyKey })
    : memory.delete(scope, target, { idempotencyKey });
}

/** The command with another record in it, if it has one. */
function withRecord(command: Command, change: (record: RecordInput) => RecordInput): Command {
  const { operation } = command;
  if (operation.type === 'delete') return command;
  return { ...command, operation: { ...operation, record: change(operation.record) } };
}

/** The command in the hands of another caller. */
export function markedFor(command: Command, mark: Mark): Command {
  return withRecord(command, (record) => {
    const data = { ...(record.content.data as object), mark };
    return { ...record, content: { ...record.content, data } };
  });
}

/** The same command, spelled another way. */
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
  if (operation.type === 'create') return again;
  return { ...again, operation: { ...operation, record_id: operation.record_id.toUpperCase() } };
}

/** A value with the members of all its objects the other way round. */
function backwards(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(backwards);
  const members = Object.entries(value).map(([name, member]) => [name, backwards(member)]);
  return Object.fromEntries(members.reverse());
}

/** Nearly the same command. */
export function changed(command: Command): Command {
  const { operation } = command;
  if (operation.type === 'delete') {
    const expected_revision = operation.expected_revision + 1;
    return { ...command, operation: { ...operation, expected_revision } };
  }
  return withRecord(command, (record) => {
    const primary = `${record.content.primary}!`;
    return { ...record, content: { ...record.content, primary } };
  });
}
