/** A record as Markdown that people read and edit, and that comes back as the same record. */
import type { MemoryRecord, RecordInput } from '@agentkeep/client';
import { rfc3339Millis } from '@agentkeep/core/operator';
import { printFrontMatter } from './front-matter.js';

/** A record with its content; a deleted one has none. */
export type ShownRecord = Pick<MemoryRecord, 'record_id' | 'name' | 'revision' | 'payload'>;

/** Says that a file was written by this product, and in which form. */
const FORM = { name: 'agentkeep', value: 1 } as const;

/** The record in a file. */
export interface WrittenRecord {
  readonly name: string | undefined;
  readonly record: RecordInput;
}

/** Returns a record as Markdown: its text below front matter with everything else. */
export function recordMarkdown({ record_id, name, revision, payload }: ShownRecord): string {
  const { content, event_time_millis, valid_until_millis, tags, episode_type } = payload;
  const given = {
    [FORM.name]: FORM.value,
    name,
    description: content.secondary,
    context: content.context,
    tags: tags.length === 0 ? undefined : tags,
    type: episode_type === 'Observation' ? undefined : episode_type,
    event_time: timeMember(event_time_millis),
    valid_until: timeMember(valid_until_millis),
    metadata: Object.keys(payload.metadata).length === 0 ? undefined : payload.metadata,
    data: content.data,
    source: payload.source,
    record_id,
    revision,
  };
  const members = Object.entries(given).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return printFrontMatter(Object.fromEntries(members), `${content.primary}\n`);
}

/** Whether a file was written by {@link recordMarkdown}. */
export function isRecordMarkdown(members: Readonly<Record<string, unknown>>): boolean {
  return members[FORM.name] === FORM.value;
}

/**
 * Returns the record of a file that {@link recordMarkdown} wrote.
 * @throws {TypeError} for members that a person changed into something else.
 */
export function recordOfMarkdown(
  members: Readonly<Record<string, unknown>>,
  body: string,
): WrittenRecord {
  const { name, description, context, tags, type, event_time, valid_until } = members;
  const { metadata, data, source } = members;
  const record = {
    ...(type === undefined ? {} : { episode_type: type }),
    content: {
      primary: body.replace(/\n$/u, ''),
      secondary: description ?? null,
      context: context ?? null,
      data: data ?? null,
    },
    ...(event_time === undefined ? {} : { event_time_millis: millisOf('event_time', event_time) }),
    ...(valid_until === undefined
      ? {}
      : { valid_until_millis: millisOf('valid_until', valid_until) }),
    ...(tags === undefined ? {} : { tags }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(source === undefined ? {} : { source }),
  };
  if (name !== undefined && typeof name !== 'string') throw new TypeError('name is not a text.');
  // The server checks the members as those of every command.
  return { name, record: record as RecordInput };
}

/** Years that RFC 3339 has: 0 to 9999. */
const YEARS = /^\d{4}-/;

/** Returns a time as RFC 3339, or as Unix milliseconds where that has no such year. */
function timeMember(millis: number | null): string | number | undefined {
  if (millis === null) return undefined;
  const text = new Date(millis).toISOString();
  return YEARS.test(text) ? text : millis;
}

function millisOf(member: string, value: unknown): number {
  const millis = typeof value === 'string' ? rfc3339Millis(value) : value;
  if (typeof millis === 'number') return millis;
  throw new TypeError(
    `${member}: ${JSON.stringify(value)} is not a time, as 2026-01-31T12:00:00Z.`,
  );
}
