/** Batches of memory commands: new and repeated ones. */
import type { PartsOf } from '@agentkeep/core/clients';
import { type Batch, type Command, isWithinRules } from '../../models/memory-command.js';
import { Whole } from '../compare.js';
import type { SentBatch } from '../memory-log.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';
import { changeOf, commandOf, isMalformed, isPlain, scopeFor } from './memory-plans.js';
import { respelled } from './memory-spellings.js';

const COMMANDS_MAX = 4;

async function send(play: Play, { caller, batch }: SentBatch): Promise<void> {
  const { world } = play;
  const document = { ...VERSION, ...batch } as PartsOf<'executeMemoryBatch'>['document'];
  const known = new Set(world.memory.ids);
  const call = {
    name: 'executeMemoryBatch',
    caller,
    parts: { document },
    by: async ({ memory }: Awaited<ReturnType<Play['agent']>>) => {
      const options = { idempotencyKey: batch.idempotency_key };
      return { ...VERSION, receipt: await memory.batch(batch.commands, options) };
    },
  } as const;
  const actual = await play.send(call);
  const outcomes = 'value' in actual ? actual.value.receipt.outcomes : [];
  const madeIds = outcomes.map(({ record_id }) => record_id);
  play.settle(call, actual, (_made, who) => {
    const receipt = world.memory.executeBatch(holderOf(play, who), batch, world.now, madeIds);
    return new Whole({ ...VERSION, receipt });
  });
  for (const { record_id, action } of outcomes) {
    if (action === 'created' && !known.has(record_id)) play.memory.made(record_id);
  }
}

const execute: Rule = {
  name: 'execute a batch',
  weight: 3,
  run: async (play) => {
    const { dice, memory } = play;
    const caller = play.caller(may('memory_write'));
    const key = dice.isLucky(65) ? memory.freshKey() : `key ${dice.below(4)}`;
    const drawn = Array.from({ length: 1 + dice.below(COMMANDS_MAX) }, () => {
      const place = { caller, scope: scopeFor(play, caller) };
      return commandOf(play, place, changeOf(play), key);
    });
    const isRefused = (each: Command): boolean =>
      isMalformed(each) || !isWithinRules(each.operation);
    if (!isPlain(caller) && drawn.some(isRefused)) return;
    const commands = drawn.map(({ scope, operation }) => ({ scope, operation }));
    const sent = { caller, batch: { idempotency_key: key, commands } };
    memory.batches.push(sent);
    await send(play, sent);
  },
};

const spellings = [
  (batch: Batch) => batch,
  ({ idempotency_key, commands }: Batch): Batch => ({
    idempotency_key,
    commands: commands.map((each) => {
      const { scope, operation } = respelled({ ...each, idempotency_key });
      return { scope, operation };
    }),
  }),
  ({ idempotency_key, commands }: Batch): Batch => ({
    idempotency_key,
    commands: commands.toReversed(),
  }),
];

const repeat: Rule = {
  name: 'repeat a batch',
  weight: 1,
  run: async (play) => {
    const { dice, memory } = play;
    const first = dice.any(memory.batches);
    if (first === undefined) return;
    await send(play, { ...first, batch: dice.one(spellings)(first.batch) });
  },
};

/** Belongs at the end of a history: every batch once more, as it was sent. */
const repeatAll: Rule = {
  name: 'repeat every batch',
  weight: 0,
  run: async (play) => {
    for (const sent of [...play.memory.batches]) await send(play, sent);
  },
};

/** Steps that execute batches. */
export const memoryBatchRules = [execute, repeat, repeatAll];
