/** Memory commands as the contract writes them: their rules, and when two are the same. */
import type { Credential, MemoryRecord, RecordInput, Scope, ScopeInput } from '@agentkeep/core';
import { fullScope } from './credential-model.js';
import { Refusal } from './outcome.js';

/** Longest name, in bytes. */
export const NAME_MAX = 512;
/** The form of an id. */
export const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const EVENT_TIME_MIN = -8_334_601_228_800_000;
const EVENT_TIME_MAX = 8_210_266_876_799_999;

/** A command as the contract writes it. */
export interface Command {
  readonly scope: ScopeInput;
  readonly idempotency_key: string;
  readonly operation:
    | { readonly type: 'create'; readonly record: RecordInput }
    | {
        readonly type: 'update';
        readonly record_id: string;
        readonly expected_revision: number;
        readonly record: RecordInput;
      }
    | {
        readonly type: 'delete';
        readonly record_id: string;
        readonly expected_revision: number;
        readonly dependents?: 'report' | 'cascade';
      }
    | {
        readonly type: 'put';
        readonly name: string;
        readonly expected_revision?: number;
        readonly record: RecordInput;
      }
    | {
        readonly type: 'remove';
        readonly name: string;
        readonly expected_revision?: number;
        readonly dependents?: 'report' | 'cascade';
      }
    | {
        readonly type: 'restore';
        readonly record_id: string;
        readonly revision: number;
        readonly expected_revision: number;
      }
    | {
        readonly type: 'redact';
        readonly record_id: string;
        readonly revision: number;
        readonly dependents?: 'report' | 'cascade';
      };
}

/** A batch as the contract writes it. */
export interface Batch {
  readonly idempotency_key: string;
  readonly commands: readonly Pick<Command, 'scope' | 'operation'>[];
}

/** A command that names its record by a name. */
export type NamedOperation = Extract<Command['operation'], { readonly name: string }>;

/** Returns whether a change names its record by a name. */
export function isNamed(operation: Command['operation']): operation is NamedOperation {
  return operation.type === 'put' || operation.type === 'remove';
}

/** Whether a text follows the text rule. */
export function isText(text: string, bytesMax = 256): boolean {
  const size = new TextEncoder().encode(text).length;
  return size >= 1 && size <= bytesMax && /\P{White_Space}/u.test(text) && !/\p{Cc}/u.test(text);
}

/** The full scope of an input, under the text rule. */
export function validScope(input: ScopeInput): Scope {
  const scope = fullScope(input);
  const texts = [scope.project_id, scope.agent_id, scope.mission_id ?? 'none'];
  if (!texts.every((text) => isText(text))) throw new Refusal('invalid_request');
  return scope;
}

/** A record with its defaults; one that states no time is of now. */
export function filled(record: RecordInput, now: number): MemoryRecord['payload'] {
  const { content } = record;
  return {
    episode_type: record.episode_type ?? 'Observation',
    content: {
      primary: content.primary,
      secondary: content.secondary ?? null,
      context: content.context ?? null,
      data: content.data ?? null,
      embedding: content.embedding?.map(Math.fround) ?? null,
    },
    event_time_millis: record.event_time_millis ?? now,
    valid_until_millis: record.valid_until_millis ?? null,
    tags: record.tags ?? [],
    metadata: record.metadata ?? {},
    ...(record.source === undefined ? {} : { source: record.source }),
    ...(record.derived_from === undefined
      ? {}
      : {
          derived_from: record.derived_from.map(({ scope, record_id, revision }) => ({
            scope: scope ? fullScope(scope) : null,
            record_id: record_id.toLowerCase(),
            revision,
          })),
        }),
  };
}

/** Whether the shape of a change is right. */
export function isWellFormed(operation: Command['operation']): boolean {
  if ('revision' in operation && operation.revision < 1) return false;
  return !('record_id' in operation) || UUID.test(operation.record_id);
}

/** Whether a change keeps to text rules and bounds. */
export function isWithinRules(operation: Command['operation']): boolean {
  if (isNamed(operation) && !isText(operation.name, NAME_MAX)) return false;
  return !('record' in operation) || isInBounds(operation.record);
}

function isInBounds({ event_time_millis, valid_until_millis }: RecordInput): boolean {
  return [event_time_millis ?? 0, valid_until_millis ?? 0].every(
    (time) => time >= EVENT_TIME_MIN && time <= EVENT_TIME_MAX,
  );
}

/** The form in which equal changes are equal. */
export function normal(operation: Command['operation']): unknown {
  if (operation.type === 'create') return { type: 'create', record: sent(operation.record) };
  if (operation.type === 'redact' || operation.type === 'restore') {
    return { ...operation, record_id: operation.record_id.toLowerCase() };
  }
  const { type, expected_revision = null } = operation;
  const place = isNamed(operation)
    ? { name: operation.name }
    : { record_id: operation.record_id.toLowerCase() };
  const traced = 'dependents' in operation ? { dependents: operation.dependents } : {};
  const target = { type, expected_revision, ...place, ...traced };
  return 'record' in operation ? { ...target, record: sent(operation.record) } : target;
}

/** A record in the form in which equal ones are equal: a time that is left out stays out. */
function sent(record: RecordInput): unknown {
  return { ...filled(record, 0), event_time_millis: record.event_time_millis ?? null };
}

/** JSON with the members of every object in order. */
export function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

/** The space of records: one for each tenant, scope and, when private, subject. */
export function spaceOf({ tenant_id, spec }: Credential, scope: Scope): string {
  const { project_id, mission_id, agent_id, visibility } = scope;
  const owner = visibility === 'private' ? spec.subject_id : null;
  return JSON.stringify([tenant_id, project_id, mission_id, agent_id, visibility, owner]);
}
