/** What a change makes of a record: its payload, and the action of its receipt. */
import type { Receipt } from '@agentkeep/core';
import { type Command, filled } from './memory-command.js';
import { type At, type Entry, type ModelRecord, payloadAt } from './memory-history.js';

/** The payload that a change makes; null where it deletes. */
export function payloadOf(
  operation: Exclude<Command['operation'], { readonly type: 'redact' }>,
  current: Entry | undefined,
  at: At,
): ModelRecord['payload'] {
  if ('record' in operation) {
    const payload = filled(operation.record, at.now);
    const { lifetime_seconds: lifetime } = at.retention;
    const isEndless = current !== undefined || lifetime === null;
    if (isEndless || payload.valid_until_millis !== null) return payload;
    return { ...payload, valid_until_millis: at.now + lifetime * 1_000 };
  }
  if (operation.type !== 'restore' || current === undefined) return null;
  return payloadAt(current, operation.revision, at);
}

/** The action that a change has in its receipt. */
export function actionOf({ type }: Command['operation']): Receipt['action'] {
  if (type === 'restore') return 'restored';
  return type === 'delete' || type === 'remove' ? 'deleted' : 'updated';
}
