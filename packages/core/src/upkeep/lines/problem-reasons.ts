/** Why an import refuses lines. */

/** Why a line was not stored. */
export const problemReasons = [
  /** It is no line of an export, or its digests don't verify. */
  'invalid',
  /** No line before it and no stored scope says which scope it is of. */
  'unknown_scope',
  /** It names its tenant in a digest, and that is another one. */
  'other_tenant',
  /** The policy, the context or the procedure that it refers to is missing. */
  'missing_definition',
  /** Something else is stored under its id. */
  'conflict',
  /** Another record of the scope, or another branch of its author, has its name. */
  'name_taken',
  /** The branch has ended. */
  'branch_ended',
  /** The tenant, or a scope, has as many branches as it can have. */
  'branch_limit',
  /** Its scope, its subject or its tenant was erased after it was exported. */
  'erased',
  /** Changes of its scope have to be reviewed, and the caller may not review. */
  'review_required',
] as const;

/** Why a line was not stored. */
export type ProblemReason = (typeof problemReasons)[number];
