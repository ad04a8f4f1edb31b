/**
 * The steps of a random history. They name callers, records and commands by number, so that a part
 * of a history still makes sense when it is cut down.
 */
import fc from 'fast-check';
import type { CompanyScopePolicy, ScopeInput, Selector } from '../../src/index.js';
import type { Filter } from '@agentkeep/testkit/memory-model';

/** Tenants that have the same ids in everything. */
export const TENANTS = ['acme', 'other'] as const;

const missionless = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
const shared = { ...missionless, visibility: 'shared' } as const;
/** Scopes that may be granted. */
export const GRANTED: readonly ScopeInput[] = [
  missionless,
  { ...missionless, mission_id: 'm' },
  shared,
  { ...shared, mission_id: 'm' },
  { ...shared, project_id: 'p m' },
];
/** Scopes that are asked for: also one without a grant and one that is none. */
const ASKED: readonly ScopeInput[] = [
  ...GRANTED,
  { ...shared, mission_id: null, agent_id: 'b' },
  { ...shared, project_id: ' ' },
];

/** Which record a step is about: one of the scope if it has any, one of anywhere, or none. */
export interface Target {
  readonly from: 'scope' | 'anywhere' | 'nowhere' | 'no id';
  readonly index: number;
}

/** A record to write; times are told from the moment of the step. */
export interface RecordPlan {
  readonly primary: string;
  readonly secondary?: string | null;
  readonly context?: string | null;
  readonly extra: unknown;
  readonly embedding?: number[] | null;
  readonly episode_type: 'Decision' | 'Error' | { Custom: string };
  readonly event_time_millis: number;
  readonly validForMs?: number | null;
  readonly tags?: string[];
  readonly metadata?: Record<string, unknown>;
}

/** What a command does. */
export interface ChangePlan {
  readonly type: 'create' | 'update' | 'delete';
  readonly target: Target;
  /** How far the expected revision is from the one that the record has. */
  readonly off: number;
  readonly record: RecordPlan;
}

interface Asking {
  readonly caller: number;
  readonly scope: ScopeInput;
}

interface OnCredential {
  readonly tenant: number;
  readonly credential: number;
  readonly off: number;
}

/** Where a credential may act. */
export interface AuthorityPlan {
  readonly grants: readonly ScopeInput[];
  readonly scope_policy?: CompanyScopePolicy;
}

/** A credential to issue. */
export interface SpecPlan {
  readonly subject_id: string;
  readonly capabilities: readonly ('memory_read' | 'memory_write')[];
  readonly authority: AuthorityPlan;
  readonly expiresInMs: number | null;
}

/** One step. */
export type Step =
  | (Asking & {
      readonly type: 'command';
      readonly key: string | null;
      readonly change: ChangePlan;
    })
  | {
      readonly type: 'repeat';
      readonly command: number;
      /** Null is the caller of the first time. */
      readonly caller: number | null;
      readonly spelling: 'same' | 'other' | 'changed';
    }
  | (Asking & {
      readonly type: 'race';
      readonly over: 'create' | 'key' | 'revision';
      readonly count: number;
      /** Whether others than the caller race too. */
      readonly isMixed: boolean;
      readonly change: ChangePlan;
    })
  | (Asking & { readonly type: 'read'; readonly target: Target })
  | (Asking & {
      readonly type: 'query';
      readonly filter: Omit<Filter, 'after'>;
      readonly after: Target | null;
    })
  | { readonly type: 'pass'; readonly ms: number }
  | (Asking & {
      /** Moves the clock to the end of a record's validity, or just before. */
      readonly type: 'expire';
      readonly index: number;
      readonly off: number;
    })
  | { readonly type: 'issue'; readonly tenant: number; readonly spec: SpecPlan }
  | (OnCredential & { readonly type: 'rotate' })
  | (OnCredential & { readonly type: 'revoke' })
  | (OnCredential & { readonly type: 'inspect' })
  | (OnCredential & { readonly type: 'rescope'; readonly authority: AuthorityPlan })
  | { readonly type: 'list'; readonly tenant: number; readonly limit: number }
  | { readonly type: 'reopen' };

const index = fc.nat({ max: 40 });
const letters = fc.constantFrom('a', 'A', 'b', 'σ', 'ς', 'Σ', 'k', '\u212a', 'İ', '𐐨', '𐐀', ' ');
const text = fc.string({ unit: letters, maxLength: 4 });
const tag = fc.constantFrom('', 'x', 'X', 'x y');
const rarely = <T, U>(usual: fc.Arbitrary<T>, rare: U, weight = 15): fc.Arbitrary<T | U> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: fc.constant(rare) });

const target: fc.Arbitrary<Target> = fc.record({
  from: fc.oneof(
    { weight: 12, arbitrary: fc.constant('scope' as const) },
    { weight: 3, arbitrary: fc.constant('anywhere' as const) },
    { weight: 1, arbitrary: fc.constantFrom('nowhere' as const, 'no id' as const) },
  ),
  index,
});

const episodeType: fc.Arbitrary<RecordPlan['episode_type']> = fc.constantFrom<
  RecordPlan['episode_type'][]
>('Decision', 'Error', { Custom: '' }, { Custom: 'Error' });

const record: fc.Arbitrary<RecordPlan> = fc.record(
  {
    primary: text,
    secondary: fc.option(text),
    context: fc.option(text),
    extra: fc.constantFrom(null, 1, 'σ', [{ b: [1, null], a: {} }], { b: false, a: [0.5] }),
    embedding: fc.option(fc.array(fc.constantFrom(0.1, -2.5, 1e30), { maxLength: 2 })),
    episode_type: episodeType,
    event_time_millis: rarely(fc.integer({ min: -3, max: 3 }), 8_210_266_876_800_000, 40),
    validForMs: rarely(fc.option(fc.integer({ min: -5, max: 400 }), { freq: 2 }), 9e15, 40),
    tags: fc.array(tag, { maxLength: 3 }),
    metadata: fc.constantFrom({}, { b: 1, a: { d: null, c: [] } }),
  },
  { requiredKeys: ['primary', 'extra', 'episode_type', 'event_time_millis'] },
);

const change: fc.Arbitrary<ChangePlan> = fc.record({
  type: fc.constantFrom('create', 'create', 'create', 'update', 'update', 'update', 'delete'),
  target,
  off: rarely(fc.constant(0), -1, 8).chain((off) => rarely(fc.constant(off), 1, 8)),
  record,
});

const selector: fc.Arbitrary<Selector> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ mode: 'all' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      mode: fc.constant('only' as const),
      ids: fc.uniqueArray(fc.constantFrom('p', 'a', 'm', 'p m', 'b')),
    }),
  },
);
const authority: fc.Arbitrary<AuthorityPlan> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ grants: fc.constant(GRANTED) }) },
  { weight: 2, arbitrary: fc.record({ grants: fc.subarray([...GRANTED]) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      grants: fc.constant([]),
      scope_policy: fc.record({
        version: fc.constant('company_scopes_v1' as const),
        projects: selector,
        agents: selector,
        missions: selector,
        allow_unassigned_mission: fc.boolean(),
        visibilities: fc.uniqueArray(fc.constantFrom('private' as const, 'shared' as const), {
          minLength: 1,
        }),
      }),
    }),
  },
);

const asking = {
  caller: index,
  scope: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(missionless, shared) },
    { weight: 2, arbitrary: fc.constantFrom(...GRANTED) },
    { weight: 1, arbitrary: fc.constantFrom(...ASKED) },
  ),
};
const tenant = fc.nat({ max: TENANTS.length - 1 });
const onCredential = {
  tenant,
  // Low, so that the first credentials go through several changes.
  credential: fc.nat({ max: 8 }),
  off: rarely(fc.constant(0), -1, 4).chain((off) => rarely(fc.constant(off), 1, 4)),
};
const is = <T extends string>(type: T): fc.Arbitrary<T> => fc.constant(type);

const both = ['memory_read', 'memory_write'] as const;
const spec: fc.Arbitrary<SpecPlan> = fc.record({
  subject_id: fc.constantFrom('ann', 'bob'),
  capabilities: fc.oneof(
    { weight: 4, arbitrary: fc.constant([...both, 'memory_read'] as const) },
    { weight: 1, arbitrary: fc.subarray([...both], { minLength: 1 }) },
  ),
  authority,
  expiresInMs: rarely(fc.option(fc.integer({ min: 0, max: 200 }), { freq: 2 }), null, 1),
});

const pageFilter = fc.record(
  {
    limit: rarely(fc.integer({ min: 1, max: 4 }), 0, 25),
    scan_limit: rarely(fc.integer({ min: 1, max: 6 }), 10_001, 25),
  },
  { requiredKeys: [] },
);
const textFilter = { text_contains: fc.string({ unit: letters, maxLength: 2 }) };
const tagFilter = { tag, tags: fc.array(tag, { minLength: 1, maxLength: 2 }) };
const typeFilter = { episode_type: episodeType };
/** Mostly one criterion, as several seldom leave a record over. */
const matchFilter = fc.oneof(
  fc.constant({}),
  { weight: 3, arbitrary: fc.record(textFilter) },
  fc.record(typeFilter),
  fc.record(tagFilter, { requiredKeys: [] }),
  fc.record({ ...textFilter, ...tagFilter, ...typeFilter }, { requiredKeys: [] }),
);
const filter: fc.Arbitrary<Omit<Filter, 'after'>> = fc
  .tuple(pageFilter, matchFilter)
  .map(([paging, wanted]) => ({ ...paging, ...wanted }));

/** Any step, the frequent ones more often. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      type: is('command'),
      ...asking,
      key: fc.oneof(
        { weight: 12, arbitrary: fc.constant(null) },
        { weight: 6, arbitrary: fc.constantFrom('key-1', 'key-2', 'key-3') },
        { weight: 1, arbitrary: fc.constant('\n') },
      ),
      change,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: is('repeat'),
      command: index,
      caller: fc.option(index),
      spelling: fc.constantFrom('same', 'other', 'changed'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: is('race'),
      ...asking,
      over: fc.constantFrom('create', 'key', 'revision'),
      count: fc.integer({ min: 2, max: 8 }),
      isMixed: fc.boolean(),
      change,
    }),
  },
  { weight: 6, arbitrary: fc.record({ type: is('read'), ...asking, target }) },
  {
    weight: 8,
    arbitrary: fc.record({ type: is('query'), ...asking, filter, after: fc.option(target) }),
  },
  { weight: 6, arbitrary: fc.record({ type: is('pass'), ms: fc.integer({ min: -30, max: 60 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: is('expire'),
      ...asking,
      index,
      off: fc.integer({ min: -1, max: 0 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: is('issue'), tenant, spec }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('rotate', 'revoke', 'inspect'),
      ...onCredential,
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: is('rescope'), ...onCredential, authority }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: is('list'), tenant, limit: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: is('reopen') }) },
);
