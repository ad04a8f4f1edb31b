/**
 * A link between operations: the resources that a request can name, and what its answer reveals
 * about resources.
 *
 * Paths refer to a request and its answer: `path.id`, `query.cursor`, `document.scope`,
 * `answer.receipt.revision`.
 */

/**
 * Members of a request that come from one resource: path in the request → path in the resource. An
 * absent member stays absent, unless its path ends in `!`; then it is added, or removed if the
 * resource lacks it.
 */
export interface Use {
  readonly kind: string;
  readonly members: Readonly<Record<string, string>>;
}

/** The lesson of a successful answer: name in the resource → path in request and answer. */
export interface LearnedResource {
  readonly kind: string;
  /** Path of the resource's id. */
  readonly id: string;
  readonly members: Readonly<Record<string, string>>;
  /** Whether the resource no longer exists. */
  readonly isEnd?: boolean;
}

/** The resources that an operation uses, and the lessons of its answers. */
export interface Links {
  readonly uses?: readonly Use[];
  readonly teaches?: readonly LearnedResource[];
}

/** Returns a use. */
export const use = (kind: string, members: Use['members']): Use => ({ kind, members });

/** Returns a lesson. */
export const learnedResource = (
  kind: string,
  id: string,
  members: LearnedResource['members'] = {},
): LearnedResource => ({
  kind,
  id,
  members: { id, ...members },
});

/** Returns the lesson that a resource no longer exists. */
export const end = (kind: string, id: string): LearnedResource => ({
  kind,
  id,
  members: {},
  isEnd: true,
});

/** The scope that a document names, as a lesson. */
export const scoped = { scope: 'document.scope' };

/** The scope that a document names, as a use. */
export const inScope = { 'document.scope': 'scope' };
