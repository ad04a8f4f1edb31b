/**
 * Scopes and the authority over them: exact grants or a `company_scopes_v1` policy
 * (docs/contract/credentials.md#crd-26).
 */
import * as v from 'valibot';
import { SELECTOR_IDS_MAX } from '../../contract/limits.js';
import { closed, orNull } from '../../contract/schema/document.js';
import { describedAs, named } from '../../contract/schema/json-schema.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';

/** Whether all subjects with the grant share the records of a scope, or each has its own. */
export const Visibility = v.pipe(v.picklist(['private', 'shared']), named('Visibility'));
export type Visibility = v.InferOutput<typeof Visibility>;

/** The scope of a request, or of a grant. A scope without a mission is a scope of its own. */
export const Scope = v.pipe(
  closed({
    project_id: textId(),
    mission_id: orNull(textId()),
    agent_id: textId(),
    visibility: Visibility,
  }),
  named('Scope'),
);
export type Scope = v.InferOutput<typeof Scope>;
/** A scope as callers write it: `mission_id` is optional. */
export type ScopeInput = v.InferInput<typeof Scope>;

/** The scope of a request for memory: as it is, or in a branch. */
export const MemoryScope = v.pipe(
  closed({ ...Scope.entries, branch: v.optional(uuid()) }),
  named('MemoryScope'),
);
export type MemoryScope = v.InferOutput<typeof MemoryScope>;
/** Such a scope as callers write it. */
export type MemoryScopeInput = v.InferInput<typeof MemoryScope>;

const isDistinct = (items: readonly unknown[]): boolean => new Set(items).size === items.length;

/** The external ids that a scope policy permits: all, or exactly the listed ones. */
export const Selector = v.pipe(
  v.variant('mode', [
    closed({ mode: v.literal('all') }),
    closed({
      mode: v.literal('only'),
      ids: v.pipe(
        v.array(textId()),
        v.maxLength(SELECTOR_IDS_MAX),
        v.check((items) => isDistinct(items), 'items that differ'),
        describedAs({ uniqueItems: true }),
      ),
    }),
  ]),
  named('Selector'),
);
export type Selector = v.InferOutput<typeof Selector>;

/** A scope policy, which permits scopes by their parts instead of by exact grants. */
export const CompanyScopePolicy = v.pipe(
  closed({
    version: v.literal('company_scopes_v1'),
    projects: Selector,
    agents: Selector,
    missions: Selector,
    allow_unassigned_mission: v.boolean(),
    visibilities: v.pipe(
      v.array(Visibility),
      v.minLength(1),
      v.maxLength(2),
      v.check((items) => isDistinct(items), 'items that differ'),
      describedAs({ uniqueItems: true }),
    ),
  }),
  named('CompanyScopePolicy'),
);
export type CompanyScopePolicy = v.InferOutput<typeof CompanyScopePolicy>;

/** The scopes that a credential may act in. */
export interface ScopeAuthority {
  readonly grants: readonly Scope[];
  readonly scope_policy?: CompanyScopePolicy | undefined;
}
