/** Workers of consumers: claimed, read to the end, committed, released, listed and deleted. */
import type { CommittedChange } from '@agentkeep/core';
import type { SeenChange } from '../../models/change-model.js';
import { fullScope } from '../../models/credential-model.js';
import { sorted as textOf } from '../../models/memory-command.js';
import type { Caller, Principal } from '../../models/principal.js';
import { difference, Mismatch, Whole } from '../compare.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { GRANTED, VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';

const NAMES = ['one', 'one', 'two'];
const HOLDERS = ['w1', 'w2'];
const LEASE_SECONDS = 120;

const sorted = (changes: readonly SeenChange[]): string[] =>
  changes.map((each) => textOf(each)).toSorted();

const some = ({ dice }: Play) => ({ name: dice.one(NAMES), holder: dice.one(HOLDERS) });

function readOf(play: Play, who: Principal) {
  const { world } = play;
  const holder = holderOf(play, who);
  world.credentials.authenticate(holder, world.now);
  return { holder, scope: undefined, now: world.now };
}

/** A consumer as the model knows it: not where it is, and not when that was committed. */
const shown = (consumer: object) => ({ ...VERSION, consumer });

/** A worker: a caller, and what it calls itself and the consumer. */
interface Worker {
  readonly caller: Caller;
  readonly name: string;
  readonly holder: string;
}

/** Claims a consumer; returns whether it was. */
async function claimAs(play: Play, { caller, name, holder }: Worker): Promise<boolean> {
  const { dice, world } = play;
  // One scope for each name, most of the time.
  const given = name === 'one' || dice.isLucky(5) ? null : GRANTED[0]!;
  const scope = given && fullScope(given);
  const document = { ...VERSION, holder, lease_seconds: LEASE_SECONDS, scope };
  const answer = await play.ask('claimConsumer', caller, { id: name, document }, (_made, who) => {
    const read = readOf(play, who);
    world.memory.changes.prove({ ...read, scope: scope ?? undefined });
    const wanted = { name, holder, leaseMs: LEASE_SECONDS * 1_000, scope };
    const { committed_at_millis: _when, ...rest } = world.consumers.claim(read, wanted);
    return shown(rest);
  });
  return answer !== undefined;
}

const claim: Rule = {
  name: 'claim a consumer',
  weight: 2,
  run: async (play) => {
    await claimAs(play, { caller: play.caller(may('memory_read')), ...some(play) });
  },
};

/** Reads and commits pages to the end; the model passes them all at the last commit. */
async function consume(play: Play, { caller, name, holder }: Worker): Promise<void> {
  const { world, dice } = play;
  const limit = 1 + dice.below(9);
  const seen: CommittedChange[] = [];
  for (let isDone = false; !isDone;) {
    const document = { ...VERSION, holder, limit };
    const answer = await play.ask('readConsumer', caller, { id: name, document }, (_made, who) => {
      world.consumers.read(readOf(play, who), name, holder);
      return VERSION;
    });
    if (answer === undefined) return;
    seen.push(...answer.page.changes);
    isDone = !answer.page.has_more;
    const read = readOf(play, play.principal(caller)!);
    const told = world.consumers.read(read, name, holder);
    if (isDone) {
      const found = sorted(seen.map(({ cursor: _cursor, ...change }) => change));
      const wrong = difference(found, new Whole(sorted(told)));
      if (wrong !== undefined) throw new Mismatch(`consumed changes: ${wrong}`);
    }
    const cursor = answer.page.next_after;
    const at = { ...VERSION, holder, cursor, lease_seconds: LEASE_SECONDS };
    const parts = { id: name, document: at };
    await play.ask('commitConsumer', caller, parts, (_made, who) => {
      if (!isDone) return VERSION;
      const passed = { name, holder, leaseMs: LEASE_SECONDS * 1_000 };
      const { committed_at_millis: _when, ...rest } = world.consumers.commit(
        readOf(play, who),
        passed,
      );
      return shown(rest);
    });
  }
}

const work: Rule = {
  name: 'work with a consumer',
  weight: 4,
  run: async (play) => {
    const worker = { caller: play.caller(may('memory_read')), ...some(play) };
    if (play.dice.isLucky(30) || (await claimAs(play, worker))) await consume(play, worker);
  },
};

const release: Rule = {
  name: 'release a consumer',
  weight: 0.7,
  run: async (play) => {
    const { name, holder } = some(play);
    const parts = { id: name, document: { ...VERSION, holder } };
    await play.ask('releaseConsumer', play.caller(may('memory_read')), parts, (_made, who) => {
      const { committed_at_millis: _when, ...rest } = play.world.consumers.release(
        readOf(play, who),
        name,
        holder,
      );
      return shown(rest);
    });
  },
};

const list: Rule = {
  name: 'list consumers',
  weight: 0.5,
  run: async (play) => {
    const caller = play.caller(may('memory_read'));
    await play.ask('listConsumers', caller, { parameters: VERSION }, (_made, who) => ({
      ...VERSION,
      consumers: play.world.consumers
        .list(readOf(play, who))
        .map(({ committed_at_millis: _when, ...rest }) => rest),
    }));
  },
};

const end: Rule = {
  name: 'delete a consumer',
  weight: 0.3,
  run: async (play) => {
    const { name } = some(play);
    const parts = { id: name, parameters: VERSION };
    await play.ask('deleteConsumer', play.caller(may('memory_read')), parts, (_made, who) => {
      play.world.consumers.delete(readOf(play, who), name);
      return { ...VERSION, deleted: true };
    });
  },
};

/** Steps with consumers. */
export const memoryConsumerRules = [claim, work, release, list, end];
