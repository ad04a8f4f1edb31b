/** Schemas of the lines that every export has, and of parts that lines have in common. */
import * as v from 'valibot';
import { Scope } from '../../kernel/access/scope.js';
import { EVENT_TIME_MILLIS_MAX } from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { finiteNumber, integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';
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
