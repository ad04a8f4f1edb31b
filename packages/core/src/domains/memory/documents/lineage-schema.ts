/** Schemas and bounds of what records came from (docs/contract/lineage.md#lin-1). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { SOURCES_MAX, SUPERSEDED_MAX } from './lineage-limits.js';

/** What a record came from (docs/contract/lineage.md#lin-1). */
export const RecordSource = v.pipe(
  v.picklist(['user', 'model', 'tool', 'document', 'import']),
  named('RecordSource'),
);

/** A revision that a record was derived from. */
const SourceRevision = v.pipe(
  closed({
    /** Null for the scope of the record itself. */
    scope: orNull(Scope),
    record_id: uuid(),
    revision: integer(1),
  }),
  named('SourceRevision'),
);
export type SourceRevision = v.InferOutput<typeof SourceRevision>;

const isEachOnce = (all: SourceRevision[]): boolean =>
  new Set(all.map((each) => JSON.stringify(each))).size === all.length;

/** The revisions that a record was derived from. */
export const DerivedFrom = v.pipe(
  v.array(SourceRevision),
  v.minLength(1),
  v.maxLength(SOURCES_MAX),
  v.check(isEachOnce, 'revisions that differ'),
  describedAs({ uniqueItems: true }),
);

/** A record that another one supersedes, and the revision that its writer expects to be current. */
const SupersededRecord = v.pipe(
  closed({ record_id: uuid(), revision: integer(1) }),
  named('SupersededRecord'),
);

/** The records of its scope that a record supersedes (docs/contract/superseding.md#sup-1). */
export const Supersedes = v.pipe(
  v.array(SupersededRecord),
  v.minLength(1),
  v.maxLength(SUPERSEDED_MAX),
  v.check(
    (all) => new Set(all.map(({ record_id }) => record_id)).size === all.length,
    'records that differ',
  ),
);

/** A revision that a record was derived from and that was taken away since. */
export const LostSource = v.pipe(
  closed({
    ...SourceRevision.pipe[0].entries,
    scope: v.nullable(Scope),
    reason: v.picklist(['redacted', 'deleted', 'erased']),
  }),
  named('LostSource'),
);
export type LostSource = v.InferOutput<typeof LostSource>;

/**
 * What a deletion or redaction does about what was derived from the record: report it, or delete or
 * redact it too (docs/contract/lineage.md#lin-14).
 */
export const Dependents = v.pipe(v.picklist(['report', 'cascade']), named('Dependents'));
export type Dependents = v.InferOutput<typeof Dependents>;
/** A record that others were derived from; every revision of it if none is named. */
export const DerivedFilter = v.pipe(
  closed({ record_id: uuid(), revision: orNull(integer(1)) }),
  named('DerivedFilter'),
);
export type DerivedFilter = v.InferOutput<typeof DerivedFilter>;
