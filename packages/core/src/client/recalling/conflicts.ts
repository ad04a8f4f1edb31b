/**
 * Records that may say something else about the same, for a person or a model to judge: those of
 * the same name in other scopes, and those that share most of the rare words.
 */
import type { MemoryScopeInput, Scope } from '../../kernel/access/scope.js';
import { refuseUnknownOptions, wrongMembers } from '../../contract/errors/arguments.js';
import { SEARCH_LIMIT_MAX } from '../../contract/limits.js';
import type { MemoryRecord } from '../../domains/memory/documents/schema.js';
import type {
  FoundTerm,
  SearchFilterInput,
  SearchMatch,
  SearchOrder,
  SearchPage,
  WordFilterInput,
} from '../../domains/memory/search/documents/schema.js';
import type { CallOptions } from '../call.js';
import { pagesFrom } from '../lists/page-walk.js';
import { wordsOfQuestion } from './recollection.js';

/** Where candidates are looked for, and how much they must share. */
export interface ConflictOptions extends CallOptions {
  /** 1 to 16 scopes. Default: the scope of the memory. */
  readonly scopes?: readonly MemoryScopeInput[] | undefined;
  /** Least part of the rarity of the words of the record, above 0 and at most 1; default 0.5. */
  readonly overlap?: number | undefined;
  /** Most candidates, 1 to 100; default 10. */
  readonly limit?: number | undefined;
  /** The language of the texts, or `exact` for words as they are; default `english`. */
  readonly language?: WordFilterInput['forms'];
}

/** A record that may be in conflict. Nothing says that it is: the texts have to be read. */
export interface Conflict {
  readonly record: MemoryRecord;
  readonly scope: Scope;
  /** Whether it has the name of the record, in another scope. */
  readonly isNamesake: boolean;
  /** Which part of the rarity of the words it shares, 0 to 1. */
  readonly overlap: number;
  /** The words that it shares, and how many of the compared records have each. */
  readonly terms: readonly FoundTerm[];
}

interface Searches {
  searchPage(
    filter: SearchFilterInput,
    options: CallOptions & {
      readonly scopes?: readonly MemoryScopeInput[];
      readonly order: SearchOrder;
      readonly limit: number;
      readonly cursor?: string;
    },
  ): Promise<SearchPage>;
}

const CALL = 'memory.conflicts()';
const OVERLAP_DEFAULT = 0.5;
const LIMIT_DEFAULT = 10;
const OPTIONS = ['scopes', 'overlap', 'limit', 'language', 'signal'] as const;
const AN_OVERLAP = { path: 'overlap', expected: 'a number above 0 and at most 1' };
const A_LIMIT = { path: 'limit', expected: `an integer from 1 to ${SEARCH_LIMIT_MAX}` };

/** Returns the records that hold now and may be in conflict, those of the same name first. */
export async function conflictsWith(
  memory: Searches,
  record: MemoryRecord,
  options: ConflictOptions = {},
): Promise<Conflict[]> {
  refuseUnknownOptions(CALL, options, OPTIONS);
  const { overlap: least = OVERLAP_DEFAULT, limit = LIMIT_DEFAULT } = options;
  const wrong = [
    ...(least > 0 && least <= 1 ? [] : [AN_OVERLAP]),
    ...(Number.isInteger(limit) && limit >= 1 && limit <= SEARCH_LIMIT_MAX ? [] : [A_LIMIT]),
  ];
  if (wrong.length > 0) throw wrongMembers(CALL, wrong);
  const found = new Map<string, Conflict>();
  for (const each of await sharingWords(memory, record, options)) {
    if (each.overlap >= least) found.set(each.record.record_id, each);
  }
  for (const { record: namesake, scope } of await namesakesOf(memory, record, options)) {
    const { overlap = 0, terms = [] } = found.get(namesake.record_id) ?? {};
    found.set(namesake.record_id, { record: namesake, scope, isNamesake: true, overlap, terms });
  }
  const likeliest = [...found.values()].filter((each) => mayConflict(record, each.record));
  return likeliest
    .toSorted(
      (one, other) =>
        Number(other.isNamesake) - Number(one.isNamesake) || other.overlap - one.overlap,
    )
    .slice(0, limit);
}

/** Returns whether two different records hold at a common time. */
function mayConflict(one: MemoryRecord, other: MemoryRecord): boolean {
  if (one.record_id === other.record_id) return false;
  const end = ({ payload }: MemoryRecord) => payload.valid_until_millis ?? Infinity;
  const start = ({ payload }: MemoryRecord) => payload.event_time_millis;
  return start(one) < end(other) && start(other) < end(one);
}

/** Returns the records that share words, with the part of the rarity of all that each has. */
async function sharingWords(
  memory: Searches,
  record: MemoryRecord,
  { scopes, language = 'english', signal }: ConflictOptions,
): Promise<Conflict[]> {
  const text = wordsOfQuestion(record.payload.content.primary);
  if (text === '') return [];
  const words: WordFilterInput = { text, match: 'any', forms: language };
  const where = scopes === undefined ? {} : { scopes };
  const asked = { ...where, order: 'rarest_words', limit: SEARCH_LIMIT_MAX, signal } as const;
  const pages = pagesFrom(null, (position) =>
    memory.searchPage({ words }, { ...asked, ...position }),
  );
  for await (const { matches, counted_matches: counted = 0 } of pages) {
    if (matches.length === 0) continue;
    // The record itself has all of them where it is among the matches.
    const all = new Map(matches.flatMap(({ terms = [] }) => terms.map((it) => [it.text, it])));
    const rarity = (terms: Iterable<FoundTerm>): number =>
      Array.from(terms).reduce((sum, { records }) => sum + Math.log(1 + counted / records), 0);
    const whole = rarity(all.values());
    return matches.map((match) => sharing(match, rarity(match.terms ?? []) / whole));
  }
  return [];
}

function sharing({ record, scope, terms = [] }: SearchMatch, overlap: number): Conflict {
  return { record, scope, isNamesake: false, overlap, terms };
}

/** Returns the records of the same name: a scope has at most one. */
async function namesakesOf(
  memory: Searches,
  { name }: MemoryRecord,
  { scopes, signal }: ConflictOptions,
): Promise<readonly SearchMatch[]> {
  if (name === undefined || scopes === undefined) return [];
  const namesakes: SearchMatch[] = [];
  const pages = pagesFrom(null, (position) =>
    memory.searchPage(
      { name_prefix: name },
      { scopes, order: 'oldest', limit: SEARCH_LIMIT_MAX, signal, ...position },
    ),
  );
  for await (const { matches } of pages) {
    namesakes.push(...matches.filter(({ record }) => record.name === name));
    if (namesakes.length === scopes.length) break;
  }
  return namesakes;
}
