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

/** Returns the use of a resource that the path names and whose revision the document expects. */
export const changed = (kind: string): Use =>
  use(kind, { 'path.id': 'id', 'document.expected_revision': 'revision' });

/** Returns the lesson of an answer with one revised document. */
export const revised = (kind: string, member: string): LearnedResource =>
  learnedResource(kind, `answer.${member}.id`, { revision: `answer.${member}.revision` });

/** Returns the links of a list with cursors. */
export const cursor = (list: string, page = 'answer'): Links => ({
  uses: [use(`cursor of ${list}`, { 'query.cursor': 'id' })],
  teaches: [learnedResource(`cursor of ${list}`, `${page}.next_cursor`)],
});

/** Returns the links of a list of what a scope has. */
export const scopeList = (list: string, owner: Links = {}): Links => ({
  uses: [...(owner.uses ?? []), use(`cursor of ${list}`, { ...inScope, 'document.cursor': 'id' })],
  teaches: [learnedResource(`cursor of ${list}`, 'answer.page.next_cursor', scoped)],
});

/** Returns the links of the pages of a history, whose cursors belong to one resource. */
export const historyOf = (kind: string, links: Links): Links => ({
  uses: [
    ...(links.uses ?? []),
    use(`cursor of a ${kind}`, { 'path.id': 'owner', 'query.cursor': 'id' }),
  ],
  teaches: [
    ...(links.teaches ?? []),
    learnedResource(`cursor of a ${kind}`, 'answer.next_cursor', { owner: 'path.id' }),
  ],
});

/** What a new account logs in with. */
export const newLogin = {
  username: 'document.username',
  password: 'document.password',
  tenant_id: 'own.tenant_id',
};

/** The tokens of a login. */
export const tokens = [
  learnedResource('token', 'answer.access_token'),
  learnedResource('refresh token', 'answer.refresh_token'),
];

/** Returns the links of a login. */
export const login = (): Links => ({
  uses: [
    use('login', {
      'document.username': 'username',
      'document.password': 'password',
      'document.tenant_id!': 'tenant_id',
    }),
  ],
  teaches: tokens,
});
