/** Searches of memory with every kind of proof, walked to their end. */
import type { MemoryRecord, ScopeInput, SearchFilterInput, SearchPage } from '@agentkeep/core';
import { fullScope } from '../../models/credential-model.js';
import { sorted } from '../../models/memory-command.js';
import type { Search, SearchStart } from '../../models/search/searched-page.js';
import type { Caller } from '../../models/principal.js';
import { Mismatch, Whole } from '../compare.js';
import type { Dice } from '../dice.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';
import { isPlain, ownerIn, scopeFor, searchFilterOf } from './memory-plans.js';
import { parametersOf } from './memory-spellings.js';

const ORDERS = [
  ...(['newest', 'oldest', 'newest_event', 'oldest_event'] as const),
  ...(['newest_change', 'oldest_change', 'most_words', 'rarest_words'] as const),
  ...(['best_words', 'nearest', 'hybrid'] as const),
];

/** Draws the scopes of a search, each once. */
function scopesFor(play: Play, caller: Caller): ScopeInput[] {
  const drawn = Array.from({ length: 1 + play.dice.below(3) }, () => scopeFor(play, caller));
  const named = drawn.map((scope) => [sorted(fullScope(scope)), scope] as const);
  return [...new Map(named).values()];
}

function searchOf(play: Play, caller: Caller): Search {
  const { dice } = play;
  return {
    scopes: scopesFor(play, caller),
    ...(dice.isLucky(80) ? { filter: filterOf(dice, play) } : {}),
    ...(dice.isLucky(60) ? orderOf(dice) : {}),
    ...(dice.isLucky(30) ? { space: dice.one(SPACES) } : {}),
    ...(dice.isLucky(20) ? { counts: countsOf(dice) } : {}),
    ...(dice.isLucky(30) ? { highlights: true } : {}),
    ...(dice.isLucky(15) ? { explain: true } : {}),
    ...(dice.isLucky(50) ? { limit: dice.isLucky(96) ? 1 + dice.below(4) : 0 } : {}),
    ...(dice.isLucky(50) ? { scan_limit: dice.isLucky(96) ? 1 + dice.below(6) : 10_001 } : {}),
  };
}

/** Names of embedding spaces. */
const SPACES = ['default', 'm', 'n', 'constructor'];

const GROUPS = [
  ...(['type', 'tag', 'author', 'event_day', 'created_day', 'modified_day'] as const),
];

function countsOf(dice: Dice): NonNullable<Search['counts']> {
  return { by: GROUPS.filter(() => dice.isLucky(40)) };
}

function orderOf(dice: Dice): Pick<Search, 'order' | 'vector' | 'words' | 'join' | 'successors'> {
  const order = dice.one(ORDERS);
  const isByVector = order === 'nearest' || order === 'hybrid';
  const isLent = dice.isLucky(order === 'best_words' ? 40 : 2);
  const successors = isLent ? { successors: true } : {};
  if (isByVector === dice.isLucky(2)) return { order, ...successors };
  const values = Array.from({ length: 1 + dice.below(2) }, () => dice.one([0, 0.1, -2.5]));
  const metric = dice.one(['cosine', 'dot', 'euclidean'] as const);
  const isByWords = (order === 'hybrid') !== dice.isLucky(2);
  const words = { text: dice.one(['x', 'a b', '"a b" c*']), match: 'any' } as const;
  const join = { offset: dice.one([1, 5, 1_000]), vector_weight: dice.one([0, 0.4, 10]) };
  return {
    order,
    vector: { values, metric },
    ...successors,
    ...(isByWords ? { words } : {}),
    ...(dice.isLucky(order === 'hybrid' ? 50 : 2) ? { join } : {}),
  };
}

function filterOf(dice: Dice, play: Play): SearchFilterInput {
  return searchFilterOf(dice, play.clock.now());
}

/** Asks for every page of a search, each compared with the model. */
async function traverse(play: Play, caller: Caller, search: Search): Promise<void> {
  const { world } = play;
  const { scan_limit, filter, scopes, ...rest } = search;
  const options = { ...rest, ...(scan_limit === undefined ? {} : { scanLimit: scan_limit }) };
  let start: SearchStart = {};
  let cursor: string | null = null;
  do {
    const position: { cursor?: string } = cursor === null ? {} : { cursor };
    let next: SearchStart | undefined;
    const answer = await play.ask(
      'searchMemory',
      caller,
      { document: { ...VERSION, ...search, scopes: [...scopes], ...position } },
      (made, who) => {
        const page = world.memory.search(holderOf(play, who), search, start, world.now);
        next = page.next;
        return new Whole({
          ...VERSION,
          page: {
            matches: page.matches,
            next_cursor: next === undefined ? null : made.page.next_cursor,
            scanned_records: page.scanned,
            ...(page.counts === undefined ? {} : { counts: page.counts }),
            ...(page.counted_matches === undefined
              ? {}
              : { counted_matches: page.counted_matches }),
            ...(search.explain === true ? { explanation: made.page.explanation } : {}),
          },
        });
      },
      async ({ memory }) => ({
        ...VERSION,
        page: await memory.searchPage(filter, { scopes, ...options, ...position }),
      }),
    );
    if (answer === undefined) return;
    requireOwn(play, caller, answer.page.matches);
    requireWork(answer.page);
    cursor = answer.page.next_cursor;
    if ((cursor === null) !== (next === undefined)) throw new Mismatch('the cursor of a search');
    start = next ?? {};
  } while (cursor !== null);
}

/** Requires an explanation to have at least the work that the page shows. */
function requireWork({ explanation, matches, scanned_records }: SearchPage): void {
  if (explanation === undefined) return;
  const isEnough = explanation.entries >= scanned_records && explanation.matches >= matches.length;
  if (!isEnough) throw new Mismatch('the explanation of a search');
}

/** Requires records to be those of the caller, as their own data says. */
function requireOwn(
  play: Play,
  caller: Caller,
  matches: readonly { readonly scope: ScopeInput; readonly record: MemoryRecord }[],
): void {
  for (const { scope, record } of matches) {
    const data = record.payload.content.data as { readonly owner: string | null };
    if (data.owner !== ownerIn(play, { caller, scope })) {
      throw new Mismatch(`the record ${record.record_id} is not of ${String(data.owner)}`);
    }
  }
}

const search: Rule = {
  name: 'search memory',
  weight: 4,
  run: async (play) => {
    const caller = play.caller(may('memory_read'));
    const drawn = searchOf(play, caller);
    const isOdd = drawn.scopes.some(({ project_id }) => project_id.trim() === '');
    if (isOdd && !isPlain(caller)) return;
    await traverse(play, caller, drawn);
  },
};

const attach: Rule = {
  name: 'attach embeddings',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(may('memory_write'));
    const scope = scopeFor(play, caller);
    const isOdd = scope.project_id.trim() === '';
    if (isOdd && !isPlain(caller)) return;
    const ids = new Set([dice.any(world.memory.ids), dice.any(world.memory.ids)]);
    const embeddings = [...ids].flatMap((record_id) => {
      if (record_id === undefined) return [];
      const revision = (world.memory.revisionOf(record_id) ?? 1) + (dice.isLucky(85) ? 0 : 1);
      const values = Array.from({ length: 1 + dice.below(2) }, () => dice.one([0, 0.1, -2.5]));
      return [{ record_id, revision, values }];
    });
    if (embeddings.length === 0) return;
    const named: { space?: string } = dice.isLucky(50) ? { space: dice.one(SPACES) } : {};
    await play.ask(
      'attachEmbeddings',
      caller,
      { document: { ...VERSION, scope, embeddings, ...named } },
      (_made, who) => {
        const asked = { embeddings, space: named.space };
        const { memory } = world;
        const place = memory.spaceFor(holderOf(play, who), 'memory_write', scope, world.now);
        const attached = memory.embeddings.attach(place, asked);
        return new Whole({
          ...VERSION,
          outcomes: attached.map((is_attached) => ({ is_attached })),
        });
      },
    );
  },
};

const listSpaces: Rule = {
  name: 'list embedding spaces',
  weight: 0.5,
  run: async (play) => {
    const { world } = play;
    const caller = play.caller(may('memory_read'));
    const scope = scopeFor(play, caller);
    if (scope.project_id.trim() === '') return;
    await play.ask(
      'listEmbeddingSpaces',
      caller,
      { parameters: { ...VERSION, ...parametersOf(scope) } },
      (_made, who) => {
        const { memory } = world;
        const place = memory.spaceFor(holderOf(play, who), 'memory_read', scope, world.now);
        return new Whole({ ...VERSION, ...memory.embeddings.shown(place) });
      },
      async ({ memory }) => ({ ...VERSION, ...(await memory.in(scope).spaces.list()) }),
    );
  },
};

const useSpace: Rule = {
  name: 'make an embedding space the default',
  weight: 0.5,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(may('memory_write'));
    const scope = scopeFor(play, caller);
    if (scope.project_id.trim() === '') return;
    const space = dice.one(SPACES);
    await play.ask(
      'useEmbeddingSpace',
      caller,
      { document: { ...VERSION, scope, space } },
      (_made, who) => {
        const { memory } = world;
        const place = memory.spaceFor(holderOf(play, who), 'memory_write', scope, world.now);
        memory.embeddings.use(place, space);
        const shown = memory.embeddings.shown(place);
        return new Whole({ ...VERSION, ...shown });
      },
      async ({ memory }) => ({ ...VERSION, ...(await memory.in(scope).spaces.use(space)) }),
    );
  },
};

const dropSpace: Rule = {
  name: 'drop an embedding space',
  weight: 0.4,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(may('memory_write'));
    const scope = scopeFor(play, caller);
    if (scope.project_id.trim() === '') return;
    const space = dice.one(SPACES);
    await play.ask(
      'dropEmbeddingSpace',
      caller,
      { document: { ...VERSION, scope, space } },
      (made, who) => {
        const { memory } = world;
        const place = memory.spaceFor(holderOf(play, who), 'memory_write', scope, world.now);
        memory.embeddings.drop(place, space);
        const shown = memory.embeddings.shown(place);
        return new Whole({ ...VERSION, ...shown, scanned_records: made.scanned_records });
      },
    );
  },
};

/** Steps that search memory, and make it searchable. */
export const memorySearchRules = [search, attach, listSpaces, useSpace, dropSpace];
