/**
 * The forms of lines.
 *
 * The values of lines that are shown as they are stored: documents as they are, and stored members
 * with their names in snake case.
 */
import * as v from 'valibot';
import { EVENT_TIME_MILLIS_MAX } from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { camelCase, snakeCase } from '../../contract/schema/member-names.js';
import { finiteNumber, integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';
import { Scope } from '../../kernel/access/scope.js';
import { IMPORT_COUNT_MAX } from './import-limits.js';

/** A digest of a namespace in base64url. */
export const NamespaceDigest = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
/** A digest of anything else. */
export const DigestText = v.pipe(v.string(), v.maxLength(128));
/** A time that a server noted. */
export const Millis = integer(0, EVENT_TIME_MILLIS_MAX);
/** A revision of anything. */
export const Revision = integer(1, IMPORT_COUNT_MAX);

/** The tenant that an export comes from, as its first line states it. */
export const OriginLine = v.object({ line: v.literal('export'), tenant_id: textId() });

/** The line of a scope. */
export const ScopeLine = closed({
  line: v.literal('scope'),
  namespace: NamespaceDigest,
  scope: Scope,
  subject_id: v.nullable(textId()),
  branch: v.optional(uuid()),
});
export type ScopeLine = v.InferOutput<typeof ScopeLine>;

/** Any other line. */
export const ShownLine = closed({
  line: v.string(),
  namespace: v.optional(NamespaceDigest),
  key: v.pipe(
    v.array(v.union([v.pipe(v.string(), v.maxLength(512)), finiteNumber()])),
    v.maxLength(4),
  ),
  value: v.unknown(),
});
export type ShownLine = v.InferOutput<typeof ShownLine>;

/** `document` for a document; else the members whose own members are renamed too. */
export type LineForm = 'document' | readonly string[];

/** Shows a stored value in a line. */
export function shownValue(form: LineForm, value: unknown): unknown {
  return renamed(form, value, snakeCase);
}

/** Returns the value that a line shows, as it is stored. */
export function valueOfLine(form: LineForm, shown: unknown): unknown {
  return renamed(form, shown, camelCase);
}

function renamed(form: LineForm, value: unknown, rename: (name: string) => string): unknown {
  if (form === 'document' || value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, each]: [string, unknown]) => {
    const to = rename(name);
    return [to, form.includes(snakeCase(name)) ? deeply(each, rename) : each] as const;
  });
  return Object.fromEntries(members);
}

function deeply(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => deeply(each, rename));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, each]: [string, unknown]) => [
    rename(name),
    deeply(each, rename),
  ]);
  return Object.fromEntries(members);
}
