/** Lists and reads of revisions of records and of earlier states, with every kind of proof. */
import { AgentkeepError, type MemoryRecord, type MemoryRevision } from '@agentkeep/core';
import { fullScope } from '../../models/credential-model.js';
import { UUID } from '../../models/memory-command.js';
import { type Filter, queryPage } from '../../models/memory-filter.js';
import { DEFAULT_RETENTION, visible } from '../../models/memory-history.js';
import { Refusal } from '../../models/outcome.js';
import { asTenant, type Caller } from '../../models/principal.js';
import { requireKept } from '../../models/state-model.js';
import { Whole } from '../compare.js';
import type { ChangeMark } from '../memory-log.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { VERSION } from '../vocabulary.js';
import { isCredentialAdmin } from './credentials.js';
import { holderOf, may } from './memory.js';
import {
  filterOf,
  idOf,
  idsIn,
  isPlain,
  MALFORMED,
  NAMES,
  type ScopedCaller,
  scopeFor,
  targetOf,
} from './memory-plans.js';
import { parametersOf, queryOf } from './memory-spellings.js';

/** A place and one of its records, or an id of none. */
function drawn(play: Play): { readonly scoped: ScopedCaller; readonly id: string } {
  const caller = play.caller(may('memory_read'));
  const place = { caller, scope: scopeFor(play, caller) };
  return { scoped: place, id: idOf(play, targetOf(play.dice), place) };
}

const readOld: Rule = {
  name: 'read an old revision',
  weight: 2,
  run: async (play) => {
    const { dice, world, clock } = play;
    const { scoped, id } = drawn(play);
    const { caller, scope } = scoped;
    const current = world.memory.revisionOf(id) ?? 1;
    // A malformed number, of a caller whose answer is the same either way.
    const least = isPlain(caller) ? 0 : 1;
    const revision = Math.max(least, current - dice.below(3));
    const asOfMillis = clock.now() - dice.below(dice.one([60, 2_000, 240_000]));
    const isByNumber = dice.isLucky(50);
    const told = { ...VERSION, scope: fullScope(scope) };
    const at = isByNumber ? { revision } : { asOfMillis };
    const wire = isByNumber ? { revision } : { as_of_millis: asOfMillis };
    await play.ask(
      'readMemoryRecord',
      caller,
      { id, parameters: { ...parametersOf(scope), ...wire } },
      (_made, who) => {
        const asked = { ...at, now: world.now };
        const record = world.memory.readRevision(holderOf(play, who), scope, id, asked);
        return new Whole({ ...told, record });
      },
      async ({ memory }) => ({ ...told, record: await memory.in(scope).read(id, at) }),
    );
  },
};

/** Pages through a list, and requires the pages to be, together, what the model has. */
async function listAll(play: Play, { caller, scope }: ScopedCaller, id: string): Promise<void> {
  const { world, dice } = play;
  const told = { ...VERSION, scope: fullScope(scope) };
  const limit = 1 + dice.below(3);
  let cursor: string | null = null;
  let start = 0;
  do {
    const at: object = cursor === null ? {} : { cursor };
    const from = start;
    const answer: { page: { items: MemoryRevision[]; next_cursor: string | null } } | undefined =
      await play.ask(
        'listMemoryRevisions',
        caller,
        { id, parameters: { ...parametersOf(scope), limit, ...at } },
        (made, who) => {
          const all = world.memory.revisions(holderOf(play, who), scope, id, world.now);
          const items = all.slice(from, from + limit);
          const next_cursor = from + limit < all.length ? made.page.next_cursor : null;
          return new Whole({ ...told, page: { items, next_cursor } });
        },
        async ({ memory }) => ({
          ...told,
          page: await memory.in(scope).historyPage(id, { limit, ...at }),
        }),
      );
    if (answer === undefined) return;
    start += answer.page.items.length;
    cursor = answer.page.next_cursor;
  } while (cursor !== null);
}

const list: Rule = {
  name: 'list revisions',
  weight: 4,
  run: async (play) => {
    const { scoped, id } = drawn(play);
    await listAll(play, scoped, id);
  },
};

/** Narrower than the defaults, so that what is hidden never shows again. */
const SETTINGS = [
  { revisions_max: 1, deleted_days: 1 },
  { revisions_max: 0, deleted_days: 1 },
  { deleted_days: 1, lifetime_seconds: 300 },
];

const UNSET = {
  revisions_max: null,
  revision_days: null,
  deleted_days: null,
  lifetime_seconds: null,
  expired_days: null,
  read_days: null,
};

/** The document that shows a setting; `null` for none. */
function shownRetention(setting: object | null) {
  const retention = { ...UNSET, ...setting };
  const effective = { ...DEFAULT_RETENTION, expired_days: null, read_days: 0, ...setting };
  const revision = setting === null ? 0 : 1;
  const review = { review: 'none', effective_review: 'none' };
  return new Whole({ ...VERSION, scope: null, revision, retention, effective, ...review });
}

const setRetention: Rule = {
  name: 'set the retention of memory',
  weight: 0.6,
  run: async (play) => {
    const { dice, world } = play;
    const setting = dice.one(SETTINGS);
    const expected_revision = dice.isLucky(90) ? 0 : 2;
    const document = { ...VERSION, scope: null, expected_revision, retention: setting };
    const caller = play.caller(isCredentialAdmin);
    await play.ask(
      'setMemoryRetention',
      caller,
      { document },
      (_made, principal) => {
        const { tenant_id } = asTenant(principal, 'credential_admin');
        const after = { ...DEFAULT_RETENTION, ...setting };
        world.memory.retention.set(tenant_id, after, expected_revision);
        world.count(tenant_id, 'configuration_changed');
        return shownRetention(setting);
      },
      async ({ retention }) => ({
        ...VERSION,
        ...(await retention.set({ expectedRevision: expected_revision }, setting)),
      }),
    );
  },
};

const showSetting: Rule = {
  name: 'show the retention of memory',
  weight: 0.3,
  run: async (play) => {
    const parts = { parameters: VERSION };
    await play.ask('getMemoryRetention', play.caller(isCredentialAdmin), parts, (_made, who) => {
      const { tenant_id } = asTenant(who, 'credential_admin');
      const revision = play.world.memory.retention.isSet(tenant_id) ? 1 : 0;
      return { ...VERSION, scope: null, revision };
    });
  },
};

const listReaders: Rule = {
  name: 'list who read a record',
  weight: 1,
  run: async (play) => {
    const { world } = play;
    const { scoped, id } = drawn(play);
    const { caller, scope } = scoped;
    // Input is checked before rights here, unlike where records are read.
    if (!UUID.test(id) || scope.project_id === MALFORMED.project_id) return;
    const parts = { id, parameters: parametersOf(scope) };
    // No step counts reads.
    const page = { read_days: 0, items: [], next_cursor: null };
    await play.ask('listMemoryReads', caller, parts, (_made, who) => {
      if (scope.visibility === 'shared') asTenant(who, 'credential_admin');
      else world.memory.spaceFor(holderOf(play, who), 'memory_read', scope, world.now);
      if (!idsIn(world, scoped).includes(id.toLowerCase())) throw new Refusal('record_not_found');
      return new Whole({ ...VERSION, scope: fullScope(scope), page });
    });
  },
};

type Who = NonNullable<ReturnType<Play['principal']>>;

/** A place, and where a reader of changes stopped. */
interface Drawn extends ScopedCaller {
  readonly caller: Caller;
  readonly mark: ChangeMark;
}

function drawnState(play: Play): Drawn | undefined {
  const mark = play.dice.any(play.memory.marks);
  const caller = play.caller(may('memory_read'));
  return mark && { mark, caller, scope: scopeFor(play, caller) };
}

/** The state that a caller asks for, or the refusal of a cursor of another tenant. */
function stateFor(play: Play, { scope, mark }: Drawn, who: Who) {
  const { world } = play;
  const { memory, now } = world;
  const space = memory.spaceFor(holderOf(play, who), 'memory_read', scope, now);
  const { tenant_id } = world.credentials.heldBy(holderOf(play, who));
  if (tenant_id !== mark.tenantId) throw new Refusal('invalid_request');
  const state = memory.states.stateOf(space, mark.count, {
    now,
    retention: memory.retention.in(space),
  });
  return { ...state, millis: memory.changes.timeAt(tenant_id, mark.count) ?? now };
}

const queryThen: Rule = {
  name: 'query memory as of a position',
  weight: 2,
  run: async (play) => {
    const place = drawnState(play);
    if (place === undefined) return;
    const { caller, scope, mark } = place;
    const told = { ...VERSION, scope: fullScope(scope) };
    // A page that ends among changed records may count fewer entries, so that pages are whole.
    const { text_contains, episode_type, tag, tags } = filterOf(play.dice);
    const filter: Filter = {
      ...(text_contains === undefined ? {} : { text_contains }),
      ...(episode_type === undefined ? {} : { episode_type }),
      ...(tag === undefined ? {} : { tag }),
      ...(tags === undefined ? {} : { tags }),
    };
    const as_of = { cursor: mark.cursor };
    await play.ask(
      'queryMemory',
      caller,
      { document: { ...VERSION, scope, filter, as_of } },
      (_made, who) => {
        const state = stateFor(play, place, who);
        requireKept(state);
        const all = { limit: 100, scan_limit: 10_000, after: '', ...filter };
        const page = queryPage(state.entries, all, state.millis);
        const records = page.records.map((each) => play.world.memory.lineage.shown(each));
        return new Whole({ ...told, page: { ...page, records } });
      },
      async ({ memory }) => {
        const [only, options] = queryOf(filter);
        const page = await memory.in(scope).queryPage(only, { ...options, asOf: as_of });
        return { ...told, page };
      },
    );
  },
};

const readThen: Rule = {
  name: 'read a record as of a position',
  weight: 2,
  run: async (play) => {
    const place = drawnState(play);
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
        if (!UUID.test(id)) throw new Refusal('invalid_request');
        const entry = state.entries.get(id.toLowerCase());
        requireKept(state, id.toLowerCase());
        const record = required(entry && visible(entry, state.millis));
        return new Whole({ ...told, record: play.world.memory.lineage.shown(record) });
      },
      async ({ memory }) => ({ ...told, record: await memory.in(scope).read(id, { asOf }) }),
    );
  },
};

const readNameThen: Rule = {
  name: 'read a name as of a position',
  weight: 1,
  run: async (play) => {
    const place = drawnState(play);
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
        const record = required(entry && visible(entry, state.millis));
        return new Whole({ ...told, record: play.world.memory.lineage.shown(record) });
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

/** Steps that look at the history of memory, and set how long it is kept. */
export const memoryHistoryRules = [
  ...[readOld, list, listReaders, setRetention, showSetting],
  ...[queryThen, readThen, readNameThen],
];
