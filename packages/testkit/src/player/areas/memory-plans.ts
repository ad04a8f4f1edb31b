/**
 * Draws scopes, records, commands and filters, all from few values, so that they meet.
 */
import type { RecordInput, ScopeInput, SearchFilterInput } from '@agentkeep/core';
import { isWellFormed, type Command } from '../../models/memory-command.js';
import type { Filter } from '../../models/memory-filter.js';
import type { Caller } from '../../models/principal.js';
import type { Dice } from '../dice.js';
import { markOf } from '../isolation.js';
import type { Play } from '../play.js';
import { GRANTED, UNKNOWN_ID } from '../vocabulary.js';

/** The two scopes that most steps use: everyone's and the subject's own. */
const FREQUENT = GRANTED.filter(
  ({ project_id, mission_id, visibility }) =>
    project_id === 'p' && (visibility === 'shared' ? mission_id === null : mission_id === 'm'),
);
const WITHOUT_GRANT: ScopeInput = { ...GRANTED[0]!, agent_id: 'b' };
/** A scope that no rule allows. */
export const MALFORMED: ScopeInput = { ...GRANTED[0]!, project_id: ' ' };
const MALFORMED_ID = 'no-id';

/** Among the letters are pairs that differ in case alone, in ASCII and beyond. */
const LETTERS = ['a', 'A', 'b', 'σ', 'ς', 'Σ', 'k', '\u212a', 'İ', '𐐨', '𐐀', ' '];
const TAGS = ['', 'x', 'X', 'x y'];
const EPISODE_TYPES: NonNullable<RecordInput['episode_type']>[] = [
  'Decision',
  'Error',
  { Custom: '' },
  { Custom: 'Error' },
];
/** Few, so that commands meet. */
export const NAMES = ['n', 'N', 'users/ä'];
const EXTRAS = [null, 1, 'σ', [{ b: [1, null], a: {} }], { b: false, a: [0.5] }];

/**
 * Whether a caller is a credential itself. The model of memory has the order of its checks; other
 * callers are refused in another order when a call is malformed.
 */
export function isPlain({ kind }: Caller): boolean {
  return kind === 'credential';
}

/** Draws a scope; now and then one without a grant, or one that is malformed. */
export function scopeFor({ dice }: Play, caller: Caller): ScopeInput {
  const kind = dice.below(16);
  const scope = kind < 10 ? dice.one(FREQUENT) : dice.one(GRANTED);
  const odd = kind === 15 ? dice.one([WITHOUT_GRANT, MALFORMED]) : scope;
  const asked = odd === MALFORMED && !isPlain(caller) ? WITHOUT_GRANT : odd;
  const { mission_id, ...rest } = asked;
  return mission_id === null && dice.isLucky(50) ? rest : asked;
}

/** Whether a command has a scope, an id or a revision that is malformed. */
export function isMalformed({ scope, operation }: Command): boolean {
  return scope.project_id === MALFORMED.project_id || !isWellFormed(operation);
}

/** The record that a command names: of its scope, of any scope, an unknown or a malformed id. */
export interface Target {
  readonly from: 'scope' | 'anywhere' | 'nowhere' | 'no id';
  readonly index: number;
}

/** Draws a target. */
export function targetOf(dice: Dice): Target {
  const kind = dice.below(33);
  const rare = kind === 31 ? 'nowhere' : 'no id';
  return {
    from: kind < 25 ? 'scope' : kind < 31 ? 'anywhere' : rare,
    index: dice.below(0x1_0000),
  };
}

/** The id of a target; only a credential asks for one that is malformed. */
export function idOf({ world }: Play, { from, index }: Target, at: ScopedCaller): string {
  if (from === 'no id' && isPlain(at.caller)) return MALFORMED_ID;
  const near = from === 'scope' ? idsIn(world, at) : [];
  const ids = near.length === 0 ? world.memory.ids : near;
  return from === 'nowhere' || from === 'no id'
    ? UNKNOWN_ID
    : (ids[index % ids.length] ?? UNKNOWN_ID);
}

/** The id of a record of the scope that has an old revision, if a target is one of the scope. */
function revisedId({ world }: Play, { from, index }: Target, at: ScopedCaller): string | undefined {
  const revised = idsIn(world, at).filter((id) => (world.memory.revisionOf(id) ?? 0) > 1);
  return from === 'scope' ? revised[index % revised.length] : undefined;
}

/** A caller and the scope that it uses. */
export interface ScopedCaller {
  readonly caller: Caller;
  readonly scope: ScopeInput;
}

/** The ids of all records that ever were where a scope leads a caller. */
export function idsIn(world: Play['world'], { caller, scope }: ScopedCaller): string[] {
  const credentialId = credentialIdOf(caller);
  return credentialId === null || !isTenant(world, credentialId)
    ? []
    : world.memory.idsIn({ credentialId, secretNumber: 0, actingFor: subjectOf(caller) }, scope);
}

/** The subject that a caller acts for, if it is a service. */
function subjectOf(caller: Caller): string | undefined {
  return caller.kind === 'delegated' ? caller.subject : undefined;
}

/** The credential that a caller acts with, dead or alive. */
export function credentialIdOf(caller: Caller): string | null {
  if ('id' in caller) return caller.id;
  return (caller.kind === 'key' ? caller.key : caller.session).account.credentialId;
}

function isTenant({ globals }: Play['world'], credentialId: string): boolean {
  return !globals.has(credentialId);
}

/** The owner of what a caller writes in a scope; `null` when it is shared. */
export function ownerIn({ world }: Play, { caller, scope }: ScopedCaller): string | null {
  if (scope.visibility === 'shared') return null;
  const id = credentialIdOf(caller);
  if (id === null || !isTenant(world, id)) return 'nobody';
  return authorOf(world, id, caller).subject_id;
}

/** The author of what a caller with a credential of a tenant writes. */
export function authorOf(
  { credentials }: Play['world'],
  credential_id: string,
  caller: Caller,
): { readonly credential_id: string; readonly subject_id: string } {
  const holder = { credentialId: credential_id, secretNumber: 0, actingFor: subjectOf(caller) };
  return { credential_id, subject_id: credentials.heldBy(holder).spec.subject_id };
}

/** Data that tells whose a record is, so that one in the wrong hands gives itself away. */
export function ownData(play: Play, scoped: ScopedCaller): object {
  return { mark: markOf(scoped.caller.authority), owner: ownerIn(play, scoped) };
}

/** A change to make. */
export interface Change {
  readonly type: Command['operation']['type'];
  readonly target: Target;
  /** Difference between the expected revision and the current one. */
  readonly off: number;
  /** Without the data that tells whose it is. */
  readonly record: RecordInput;
  readonly extra: unknown;
  /** The name that a put or remove names, and the revision that it expects. */
  readonly name: string;
  readonly expected: number | undefined;
  /** How far before the current revision the one is that a restore or redact names. */
  readonly ago: number;
  readonly source: RecordInput['source'];
  /** What the record was derived from, if it says so. */
  readonly derived:
    | { readonly target: Target; readonly scope: ScopeInput | undefined; readonly ago: number }
    | undefined;
  readonly dependents: 'report' | 'cascade' | undefined;
}

/** Draws a change. */
export function changeOf({ dice, clock }: Play): Change {
  const common = ['create', 'update', 'put'] as const;
  const old = ['restore', 'redact'] as const;
  const types = [...common, ...common, 'delete', 'remove', ...old, ...old, ...old] as const;
  return {
    type: dice.one(types),
    target: targetOf(dice),
    off: dice.isLucky(80) ? 0 : dice.one([-1, 1]),
    record: recordOf(dice, clock.now()),
    extra: dice.one(EXTRAS),
    name: dice.isLucky(97) ? dice.one(NAMES) : '\n',
    expected: dice.isLucky(60) ? undefined : dice.below(4),
    ago: dice.isLucky(75) ? 1 + dice.below(2) : dice.one([0, 0, 3, 9]),
    source: dice.isLucky(20) ? dice.one(['user', 'model', 'import']) : undefined,
    derived: dice.isLucky(40)
      ? {
          target: targetOf(dice),
          scope: dice.isLucky(40) ? dice.one(FREQUENT) : undefined,
          ago: dice.one([0, 0, 0, 1]),
        }
      : undefined,
    dependents: dice.isLucky(50) ? dice.one(['report', 'cascade', 'cascade']) : undefined,
  };
}

/** The command that makes a change. Without a record in the scope it creates one. */
export function commandOf(play: Play, scoped: ScopedCaller, change: Change, key: string): Command {
  const { world } = play;
  const { type, target, off, extra } = change;
  const data = { ...ownData(play, scoped), extra };
  const content = { ...change.record.content, data };
  const record = { ...change.record, ...derivedOf(play, scoped, change), content };
  const { dependents } = change;
  const traced = dependents === undefined ? {} : { dependents };
  const command = { scope: scoped.scope, idempotency_key: key };
  if (type === 'put' || type === 'remove') {
    const { name, expected } = change;
    const named = { name, ...(expected === undefined ? {} : { expected_revision: expected }) };
    const operation = type === 'put' ? { type, ...named, record } : { type, ...named, ...traced };
    return { ...command, operation };
  }
  const isFirst = target.from === 'scope' && idsIn(world, scoped).length === 0;
  if (type === 'create' || isFirst) return { ...command, operation: { type: 'create', record } };
  const isOld = type === 'restore' || type === 'redact';
  const record_id =
    (isOld ? revisedId(play, target, scoped) : undefined) ?? idOf(play, target, scoped);
  const current = world.memory.revisionOf(record_id) ?? 1;
  const expected_revision = Math.max(0, current + off);
  const aimed = { record_id, expected_revision };
  const revision = Math.max(0, current - change.ago);
  if (type === 'redact') {
    return { ...command, operation: { type, record_id, revision, ...traced } };
  }
  if (type === 'restore') return { ...command, operation: { type, ...aimed, revision } };
  return type === 'update'
    ? { ...command, operation: { type, ...aimed, record } }
    : { ...command, operation: { type, ...aimed, ...traced } };
}

/** What a record says it was derived from: a revision nearby, now and then one of another scope. */
function derivedOf(
  play: Play,
  scoped: ScopedCaller,
  { derived, source }: Change,
): Pick<RecordInput, 'derived_from' | 'source'> {
  const stated = source === undefined ? {} : { source };
  if (derived === undefined) return stated;
  const { target, scope, ago } = derived;
  const place = { caller: scoped.caller, scope: scope ?? scoped.scope };
  const record_id = target.from === 'no id' ? UNKNOWN_ID : idOf(play, target, place);
  const revision = Math.max(1, (play.world.memory.revisionOf(record_id) ?? 1) - ago);
  return { ...stated, derived_from: [{ record_id, revision, ...(scope ? { scope } : {}) }] };
}

/** Draws the filter of a query: mostly one criterion, since several seldom leave a record. */
export function filterOf(dice: Dice): Omit<Filter, 'after'> {
  const criteria: Omit<Filter, 'after'>[] = [
    { text_contains: textOf(dice, 2) },
    { episode_type: dice.one(EPISODE_TYPES) },
    { tag: dice.one(TAGS) },
    { tags: [dice.one(TAGS), ...(dice.isLucky(50) ? [dice.one(TAGS)] : [])] },
    { source: dice.one(['user', 'model'] as const) },
  ];
  const kind = dice.below(10);
  const chosen = kind === 0 ? criteria : kind < 7 ? [criteria[kind < 4 ? 0 : dice.below(4)]!] : [];
  return Object.assign(
    {},
    ...chosen,
    dice.isLucky(50) ? { limit: dice.isLucky(96) ? 1 + dice.below(4) : 0 } : {},
    dice.isLucky(50) ? { scan_limit: dice.isLucky(96) ? 1 + dice.below(6) : 10_001 } : {},
  ) as Omit<Filter, 'after'>;
}

/** Draws the filter of a search: mostly one criterion, since several seldom leave a record. */
export function searchFilterOf(dice: Dice, now: number): SearchFilterInput {
  const times = { from_millis: dice.below(4) - 2, before_millis: dice.below(6) - 1 };
  const lately = { from_millis: now - dice.below(100_000) };
  const criteria: SearchFilterInput[] = [
    { words: { text: wordsOf(dice), match: dice.one(['all', 'any']) } },
    { words: { text: wordsOf(dice), diacritics: 'ignored' } },
    { text_contains: textOf(dice, 2) },
    { episode_types: [dice.one(EPISODE_TYPES), dice.one(EPISODE_TYPES)] },
    { tags: { all: [dice.one(TAGS)] } },
    { tags: { any: [dice.one(TAGS), dice.one(TAGS)], none: [dice.one(TAGS)] } },
    { event_time: times },
    dice.isLucky(50) ? { created: lately } : { modified: lately },
    { valid_at_millis: dice.isLucky(50) ? now : now + 100_000 - dice.below(200_000) },
    { expired: dice.one(['included', 'only']) },
    { name_prefix: dice.one(['n', 'N', 'users/', 'n*']) },
    { named_in: dice.one(['n 1', 'an X', 'x-y', `${textOf(dice, 2)}x`]) },
    { embedded: dice.isLucky(50) },
    { author: { subject_id: dice.one(['a', 'subject']) } },
    { members: [memberOf(dice)] },
    { sources: [dice.one(['user', 'model'] as const), 'import'] },
  ];
  const count = dice.one([0, 1, 1, 1, 1, 2]);
  return Object.assign(
    {},
    ...Array.from({ length: count }, () => dice.one(criteria)),
  ) as SearchFilterInput;
}

function wordsOf(dice: Dice): string {
  const word = () => `${dice.one(['a', 'b', 'σ', 'K', 'i', '𐐀'])}${textOf(dice, 1).trim()}`;
  const first = dice.one([word(), `${word()}*`, `"${word()} ${word()}"`]);
  return dice.isLucky(50) ? first : `${first} ${word()}`;
}

function memberOf(dice: Dice): NonNullable<SearchFilterInput['members']>[number] {
  const data = { of: 'data', path: dice.one([['extra'], ['extra', 'a'], ['owner'], []]) } as const;
  const place = dice.isLucky(70)
    ? { ...data, path: [...data.path] }
    : { of: 'metadata' as const, path: [dice.one(['a', 'b', '__proto__'])] };
  const value = dice.one([...EXTRAS, [0.5]]);
  return dice.one([
    { ...place, exists: dice.isLucky(50) },
    { ...place, equals: value },
    { ...place, not_equals: value },
    { ...place, one_of: [value, null] },
    { ...place, none_of: [value, 1] },
    { ...place, above: dice.one([0, 1, '']), below: dice.one([2, 'τ']) },
    { ...place, at_least: dice.one([1, 'σ']), at_most: dice.one([1, 'σ']) },
    { ...place, contains: dice.one([0.5, { a: {}, b: [1, null] }]) },
  ]);
}

function textOf(dice: Dice, lengthMax: number): string {
  return Array.from({ length: dice.below(lengthMax + 1) }, () => dice.one(LETTERS)).join('');
}

function recordOf(dice: Dice, now: number): RecordInput {
  const endsAt = now + (dice.isLucky(50) ? dice.below(406) - 5 : dice.below(200_000));
  const embedding = Array.from({ length: dice.below(3) }, () => dice.one([0.1, -2.5, 1e30]));
  const tags = Array.from({ length: dice.below(4) }, () => dice.one(TAGS));
  return {
    content: {
      primary: textOf(dice, 4),
      ...optional(dice, 'secondary', dice.one([null, textOf(dice, 4)])),
      ...optional(dice, 'context', dice.one([null, textOf(dice, 4)])),
      ...optional(dice, 'embedding', dice.one([null, embedding])),
    },
    ...optional(dice, 'episode_type', dice.one(EPISODE_TYPES)),
    ...(dice.isLucky(15) ? {} : { event_time_millis: timeOf(dice) }),
    ...optional(dice, 'valid_until_millis', endOf(dice, endsAt)),
    ...optional(dice, 'tags', tags),
    ...optional(dice, 'metadata', dice.one([{}, { b: 1, a: { d: null, c: [] } }])),
  };
}

function timeOf(dice: Dice): number {
  return dice.isLucky(98) ? dice.below(7) - 3 : 8_210_266_876_800_000;
}

function endOf(dice: Dice, endsAt: number): number | null {
  if (dice.isLucky(2)) return 9e15;
  return dice.isLucky(50) ? null : endsAt;
}

function optional<N extends string, T>(dice: Dice, name: N, value: T): Partial<Record<N, T>> {
  return dice.isLucky(50) ? ({ [name]: value } as Record<N, T>) : {};
}
