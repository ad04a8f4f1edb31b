/** Reads of memory as it was where readers of changes stopped. */
import { AgentkeepError, type MemoryRecord } from '@agentkeep/core';
import { fullScope } from '../../models/credential-model.js';
import { queryPage } from '../../models/memory-filter.js';
import { visible } from '../../models/memory-history.js';
import { Refusal } from '../../models/outcome.js';
import type { Caller } from '../../models/principal.js';
import { requireKept } from '../../models/state-model.js';
import { Whole } from '../compare.js';
import type { ChangeMark } from '../memory-log.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';
import { filterOf, idOf, NAMES, type ScopedCaller, scopeFor, targetOf } from './memory-plans.js';
import { parametersOf, queryOf } from './memory-spellings.js';

type Who = NonNullable<ReturnType<Play['principal']>>;

/** A place, and where a reader of changes stopped. */
interface Drawn extends ScopedCaller {
  readonly caller: Caller;
  readonly mark: ChangeMark;
}

function drawn(play: Play): Drawn | undefined {
  const mark = play.dice.any(play.memory.marks);
  const caller = play.caller(may('memory_read'));
  return mark && { mark, caller, scope: scopeFor(play, caller) };
}

/** The state that a caller asks for, or the refusal of a cursor of another tenant. */
function stateFor(play: Play, { scope, mark }: Drawn, who: Who) {
  const { world } = play;
  const state = world.memory.asOf(holderOf(play, who), scope, mark.count, world.now);
  const { tenant_id } = world.credentials.heldBy(holderOf(play, who));
  if (tenant_id !== mark.tenantId) throw new Refusal('invalid_request');
  return state;
}

const query: Rule = {
  name: 'query memory as of a position',
  weight: 2,
  run: async (play) => {
    const place = drawn(play);
    if (place === undefined) return;
    const { caller, scope, mark } = place;
    const told = { ...VERSION, scope: fullScope(scope) };
    // A page that ends among changed records may count fewer entries, so that pages are whole.
    const { limit: _limit, scan_limit: _scan, ...filter } = filterOf(play.dice);
    const as_of = { cursor: mark.cursor };
    await play.ask(
      'queryMemory',
      caller,
      { document: { ...VERSION, scope, filter, as_of } },
      (_made, who) => {
        const state = stateFor(play, place, who);
        requireKept(state);
        const all = { limit: 100, scan_limit: 10_000, after: '', ...filter };
        return new Whole({ ...told, page: queryPage(state.entries, all, state.millis) });
      },
      async ({ memory }) => {
        const [only, options] = queryOf(filter);
        const page = await memory.in(scope).queryPage(only, { ...options, asOf: as_of });
        return { ...told, page };
      },
    );
  },
};

const readOne: Rule = {
  name: 'read a record as of a position',
  weight: 2,
  run: async (play) => {
    const place = drawn(play);
    if (place === undefined) return;
    const { caller, scope, mark } = place;
    const id = idOf(play, targetOf(play.dice), place);
    const told = { ...VERSION, scope: fullScope(scope) };
    const asOf = { cursor: mark.cursor };
    await play.ask(
      'readMemoryRecord',
      caller,
      { id, parameters: { ...parametersOf(scope), as_of_cursor: mark.cursor } },
      (_made, who) => {
        const state = stateFor(play, place, who);
        const entry = state.entries.get(id.toLowerCase());
        requireKept(state, id.toLowerCase());
        return new Whole({ ...told, record: required(entry && visible(entry, state.millis)) });
      },
      async ({ memory }) => ({ ...told, record: await memory.in(scope).read(id, { asOf }) }),
    );
  },
};

const readByName: Rule = {
  name: 'read a name as of a position',
  weight: 1,
  run: async (play) => {
    const place = drawn(play);
    if (place === undefined) return;
    const { caller, scope, mark } = place;
    const name = play.dice.one(NAMES);
    const told = { ...VERSION, scope: fullScope(scope) };
    const asOf = { cursor: mark.cursor };
    await play.ask(
      'readNamedRecord',
      caller,
      { parameters: { ...parametersOf(scope), name, as_of_cursor: mark.cursor } },
      (_made, who) => {
        const state = stateFor(play, place, who);
        const entry = [...state.entries.values()].find(({ record }) => record.name === name);
        // Without a holder that is there, any record that is gone may have been it.
        requireKept(state, entry?.record.record_id);
        return new Whole({ ...told, record: required(entry && visible(entry, state.millis)) });
      },
      async ({ memory }) => {
        const record = await memory.in(scope).read({ name }, { asOf });
        if (record === undefined) throw new AgentkeepError('record_not_found');
        return { ...told, record };
      },
    );
  },
};

function required(record: MemoryRecord | undefined): MemoryRecord {
  if (record === undefined) throw new Refusal('record_not_found');
  return record;
}

/** Steps that look at earlier states of memory. */
export const memoryStateRules = [query, readOne, readByName];
