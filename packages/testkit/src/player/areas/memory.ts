/**
 * Memory through every sort of proof: commands, replays, reads, queries.
 */
import type { Receipt, ScopeInput } from '@agentkeep/core';
import type { PartsOf } from '@agentkeep/core/transport';
import { type Command } from '../../models/memory-model.js';
import { markOf } from '../isolation.js';
import type { Play } from '../play.js';
import { asTenant, type Caller, type Principal } from '../../models/principal.js';
import type { Rule } from '../rule.js';
import { NOBODY, SCOPES, VERSION } from '../vocabulary.js';

/** Keys that come up again and again. */
const KEYS = 25;

/** Whether somebody may use a capability at all. */
export function may(capability: string): (principal: Principal) => boolean {
  return ({ credential }) => credential?.spec.capabilities.some((it) => it === capability) === true;
}

/** Whoever acts, as the model of memory knows holders of secrets. */
function holderOf({ world }: Play, principal: Principal) {
  const { id: credentialId } = asTenant(principal);
  return { credentialId, secretNumber: world.credentials.get(credentialId).secretNumber };
}

async function send(play: Play, caller: Caller, command: Command): Promise<Receipt | undefined> {
  const { world } = play;
  const document = { ...VERSION, ...command } as PartsOf<'executeMemoryCommand'>['document'];
  const made = await play.ask('executeMemoryCommand', caller, { document }, (answer, principal) => {
    const id = answer.receipt.record_id;
    const madeId = typeof id === 'string' ? id : undefined;
    return { receipt: world.memory.execute(holderOf(play, principal), command, world.now, madeId) };
  });
  return made?.receipt;
}

function recordOf({ dice, clock }: Play, authority: string) {
  return {
    episode_type: 'Observation' as const,
    content: { primary: `${markOf(authority)} ${dice.below(3)}` },
    event_time_millis: 0,
    ...(dice.isLucky(20) ? { valid_until_millis: clock.now() + dice.below(200_000) } : {}),
  };
}

/** A record where the caller looks, or any. */
function recordIdFor(play: Play, caller: Caller, scope: ScopeInput): string {
  const { dice, world } = play;
  const principal = play.principal(caller);
  const isNear = dice.isLucky(80) && principal?.credential !== undefined;
  const near = isNear ? world.memory.idsIn(holderOf(play, principal), scope) : world.memory.ids;
  return dice.any(near) ?? NOBODY;
}

const command: Rule = {
  name: 'command memory',
  weight: 8,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(may('memory_write'));
    const scope = dice.mostly(SCOPES);
    const id = recordIdFor(play, caller, scope);
    const off = dice.isLucky(12) ? 1 : 0;
    const expected_revision = (world.memory.revisionOf(id) ?? 1) + off;
    const record = recordOf(play, caller.authority);
    const kind = dice.below(10);
    const operation: Command['operation'] =
      kind < 4
        ? { type: 'create', record }
        : kind < 9
          ? { type: 'update', record_id: id, expected_revision, record }
          : { type: 'delete', record_id: id, expected_revision };
    const key = `key ${dice.below(KEYS)}`;
    const sent = { scope, idempotency_key: key, operation };
    const first = await send(play, caller, sent);
    if (first === undefined || dice.isLucky(70)) return;
    await send(play, caller, sent);
  },
};

const read: Rule = {
  name: 'read memory',
  weight: 4,
  run: async (play) => {
    const { dice, world } = play;
    const scope = dice.mostly(SCOPES);
    const caller = play.caller(may('memory_read'));
    const id = recordIdFor(play, caller, scope);
    const { mission_id, ...rest } = scope;
    const mission = typeof mission_id === 'string' ? { mission_id } : {};
    const parts = { id, parameters: { ...VERSION, ...rest, ...mission } };
    await play.ask('readMemoryRecord', caller, parts, (_made, who) => ({
      record: world.memory.read(holderOf(play, who), scope, id, world.now),
    }));
  },
};

const query: Rule = {
  name: 'query memory',
  weight: 4,
  run: async (play) => {
    const { dice, world } = play;
    const scope = dice.mostly(SCOPES);
    const filter = {
      limit: dice.one([1, 3, 1_000]),
      ...(dice.isLucky(30) ? { text_contains: `TENANT-${dice.one(['A', 'B'])} 1` } : {}),
    };
    const parts = { document: { ...VERSION, scope, filter } };
    await play.ask('queryMemory', play.caller(may('memory_read')), parts, (_made, who) => ({
      page: world.memory.query(holderOf(play, who), scope, filter, world.now),
    }));
  },
};

/** What can be done with memory. */
export const memoryRules = [command, read, query];
