/**
 * Memory commands with every kind of proof: new, repeated and racing ones.
 */
import { isDeepStrictEqual } from 'node:util';
import type { OutputOf, PartsOf } from '@agentkeep/core/clients';
import type { Command } from '../../models/memory-command.js';
import type { Outcome } from '../../models/outcome.js';
import { asTenant, type Principal } from '../../models/principal.js';
import { Whole } from '../compare.js';
import type { SentCommand } from '../memory-log.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { VERSION } from '../vocabulary.js';
import {
  changeOf,
  authorOf,
  commandOf,
  credentialIdOf,
  isMalformed,
  isPlain,
  ownData,
  scopeFor,
} from './memory-plans.js';
import { changed, ownedBy, respelled, sendThrough } from './memory-spellings.js';

type Answer = Outcome<OutputOf<'executeMemoryCommand'>>;

/** Whether a principal has a capability in some scope. */
export function may(capability: string): (principal: Principal) => boolean {
  return ({ credential }) => credential?.spec.capabilities.some((it) => it === capability) === true;
}

/** The principal as the model of memory knows holders of secrets. */
export function holderOf({ world }: Play, principal: Principal) {
  const { id: credentialId } = asTenant(principal);
  const { secretNumber } = world.credentials.get(credentialId);
  return { credentialId, secretNumber, actingFor: principal.actingFor };
}

function callOf({ caller, command }: SentCommand) {
  const document = { ...VERSION, ...command } as PartsOf<'executeMemoryCommand'>['document'];
  return {
    name: 'executeMemoryCommand',
    caller,
    parts: { document },
    by: (agent: Parameters<typeof sendThrough>[0]) => sendThrough(agent, command),
    label: command.operation.type,
  } as const;
}

/** Compares the answer to a command. */
function settle(play: Play, sent: SentCommand, actual: Answer): void {
  const { world } = play;
  const madeId = 'value' in actual ? actual.value.receipt.record_id : undefined;
  const isNew = madeId !== undefined && world.memory.revisionOf(madeId) === undefined;
  play.settle(callOf(sent), actual, (_made, who) => {
    const receipt = world.memory.execute(holderOf(play, who), sent.command, world.now, madeId);
    return new Whole({ ...VERSION, receipt });
  });
  if (isNew) play.memory.made(madeId);
}

/** Sends a command, and compares its answer. */
export async function send(play: Play, sent: SentCommand): Promise<void> {
  settle(play, sent, await play.send(callOf(sent)));
}

/** Mostly a key of its own, sometimes one that other commands use, seldom a malformed one. */
function keyOf({ dice, memory }: Play): string {
  const kind = dice.below(19);
  if (kind < 12) return memory.freshKey();
  return kind < 18 ? `key ${dice.below(4)}` : '\n';
}

const command: Rule = {
  name: 'command memory',
  weight: 8,
  run: async (play) => {
    const caller = play.caller(may('memory_write'));
    const place = { caller, scope: scopeFor(play, caller) };
    const sent = { caller, command: commandOf(play, place, changeOf(play), keyOf(play)) };
    if (!isPlain(caller) && isMalformed(sent.command)) return;
    play.memory.sent.push(sent);
    await send(play, sent);
  },
};

const spellings = [(it: Command) => it, respelled, changed];

const repeat: Rule = {
  name: 'repeat a command',
  weight: 2,
  run: async (play) => {
    const { dice } = play;
    const first = dice.any(play.memory.sent);
    if (first === undefined) return;
    const isByFirst = dice.isLucky(50) || isMalformed(first.command);
    const caller = isByFirst ? first.caller : play.caller(may('memory_write'));
    const own = ownData(play, { caller, scope: first.command.scope });
    const spell = dice.one(spellings);
    await send(play, { caller, command: spell(ownedBy(first.command, own)) });
  },
};

/** Commands of a race: all create the same, all have one key, or all change one revision. */
function racersOf(play: Play): SentCommand[] {
  const { dice, memory } = play;
  const over = dice.one(['create', 'key', 'revision'] as const);
  const sharedKey = memory.freshKey();
  const first = play.caller(may('memory_write'));
  const scope = scopeFor(play, first);
  const isMixed = dice.isLucky(50);
  // The model doesn't know whether a source was there while others raced.
  const drawn = { ...changeOf(play), derived: undefined };
  return Array.from({ length: 2 + dice.below(7) }, (_, index) => {
    const caller = isMixed && index > 0 ? play.caller(may('memory_write')) : first;
    const type = over !== 'revision' ? 'create' : index % 3 === 2 ? 'delete' : 'update';
    const primary = over === 'create' ? 'same' : `racer ${index}`;
    const record = { ...drawn.record, content: { ...drawn.record.content, primary } };
    const key = over === 'revision' ? memory.freshKey() : sharedKey;
    const change = { ...drawn, type, record } as const;
    return { caller, command: commandOf(play, { caller, scope }, change, key) };
  });
}

const race: Rule = {
  name: 'race with commands',
  weight: 1,
  run: async (play) => {
    const racers = racersOf(play).filter(
      ({ caller, command: each }) => isPlain(caller) || !isMalformed(each),
    );
    const answers = await Promise.all(
      racers.map(async (sent) => ({ sent, actual: await play.send(callOf(sent)) })),
    );
    for (const { sent, actual } of winnersFirst(play, answers)) settle(play, sent, actual);
  },
};

interface RaceAnswer {
  readonly sent: SentCommand;
  readonly actual: Answer;
}

/**
 * Brings answers into an order in which the commands may have run: first those that took effect, by
 * the ids that they made. The receipt of a replay names the credential that won.
 */
function winnersFirst({ world }: Play, answers: readonly RaceAnswer[]): RaceAnswer[] {
  const winners = answers.filter(({ sent, actual }) => {
    const id = credentialIdOf(sent.caller);
    if (!('value' in actual) || id === null) return false;
    return isDeepStrictEqual(actual.value.receipt.author, authorOf(world, id, sent.caller));
  });
  winners.sort((one, other) => (idIn(one) < idIn(other) ? -1 : 1));
  return [...winners, ...answers.filter((each) => !winners.includes(each))];
}

function idIn({ actual }: RaceAnswer): string {
  return 'value' in actual ? actual.value.receipt.record_id : '';
}

/** Belongs at the end of a history: every command once more, as it was sent. */
const repeatAll: Rule = {
  name: 'repeat every command',
  weight: 0,
  run: async (play) => {
    for (const sent of [...play.memory.sent]) await send(play, sent);
  },
};

/** Steps that command memory. */
export const memoryCommandRules = [command, repeat, race, repeatAll];
