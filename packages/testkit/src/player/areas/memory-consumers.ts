/** Workers of consumers: claimed, read to the end, committed, released, listed and deleted. */
import type { CommittedChange } from '@agentkeep/core';
import type { SeenChange } from '../../models/change-model.js';
import { fullScope } from '../../models/credential-model.js';
import { sorted } from '../../models/memory-command.js';
import type { Principal } from '../../models/principal.js';
import { difference, Mismatch, Whole } from '../compare.js';
import type { ClaimedConsumer } from '../memory-log.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { GRANTED, VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';

const NAMES = ['one', 'two', 'three'];
const HOLDERS = ['w1', 'w2'];
const LEASE_SECONDS = 120;

const inOrder = (changes: readonly SeenChange[]): string[] => changes.map(sorted).toSorted();

/** A worker that claimed a consumer before, mostly, and mostly the holder that did. */
function drawn(play: Play): ClaimedConsumer {
  const { dice } = play;
  const claimed = dice.isLucky(80) ? dice.any(play.memory.claims) : undefined;
  const holder = dice.one(HOLDERS);
  if (claimed !== undefined) return dice.isLucky(70) ? claimed : { ...claimed, holder };
  return { caller: play.caller(may('memory_read')), name: dice.one(NAMES), holder };
}

function readOf(play: Play, who: Principal) {
  const { world } = play;
  const holder = holderOf(play, who);
  world.credentials.authenticate(holder, world.now);
  return { holder, scope: undefined, now: world.now };
}

/** A consumer as the model knows it: not the text of its position. */
const shown = (consumer: object) => ({ ...VERSION, consumer });

/** A consumer without the time of its last commit. */
const undated = <C extends { committed_at_millis: unknown }>({
  committed_at_millis: _when,
  ...rest
}: C) => rest;

const claim: Rule = {
  name: 'claim a consumer',
  weight: 3,
  run: async (play) => {
    const { dice, world } = play;
    const { caller, name, holder } = drawn(play);
    // One scope for each name, most of the time.
    const given = name === 'one' || dice.isLucky(5) ? null : GRANTED[0]!;
    const scope = given && fullScope(given);
    const document = { ...VERSION, holder, lease_seconds: LEASE_SECONDS, scope };
    const answer = await play.ask('claimConsumer', caller, { id: name, document }, (_made, who) => {
      const read = readOf(play, who);
      world.memory.changes.prove({ ...read, scope: scope ?? undefined });
      const wanted = { name, holder, leaseMs: LEASE_SECONDS * 1_000, scope };
      return shown(world.consumers.claim(read, wanted));
    });
    if (answer !== undefined) play.memory.claims.push({ caller, name, holder });
  },
};

/** Reads and commits pages to the end; the model passes them all at the last commit. */
async function consume(play: Play): Promise<void> {
  const { world, dice } = play;
  const { caller, name, holder } = drawn(play);
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
      const found = inOrder(seen.map(({ cursor: _cursor, ...change }) => change));
      const wrong = difference(found, new Whole(inOrder(told)));
      if (wrong !== undefined) throw new Mismatch(`consumed changes: ${wrong}`);
    }
    const cursor = answer.page.next_after;
    const at = { ...VERSION, holder, cursor, lease_seconds: LEASE_SECONDS };
    const parts = { id: name, document: at };
    await play.ask('commitConsumer', caller, parts, (_made, who) => {
      if (!isDone) return VERSION;
      const passed = { name, holder, leaseMs: LEASE_SECONDS * 1_000 };
      return shown(undated(world.consumers.commit(readOf(play, who), passed)));
    });
  }
}

const work: Rule = {
  name: 'work with a consumer',
  weight: 2,
  run: consume,
};

const release: Rule = {
  name: 'release a consumer',
  weight: 1,
  run: async (play) => {
    const { caller, name, holder } = drawn(play);
    const parts = { id: name, document: { ...VERSION, holder } };
    await play.ask('releaseConsumer', caller, parts, (_made, who) => {
      const released = play.world.consumers.release(readOf(play, who), name, holder);
      return shown(undated(released));
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
      consumers: play.world.consumers.list(readOf(play, who)).map(undated),
    }));
  },
};

const end: Rule = {
  name: 'delete a consumer',
  weight: 1,
  run: async (play) => {
    const { caller, name } = drawn(play);
    const parts = { id: name, parameters: VERSION };
    await play.ask('deleteConsumer', caller, parts, (_made, who) => {
      play.world.consumers.delete(readOf(play, who), name);
      return { ...VERSION, deleted: true };
    });
  },
};

/** Steps with consumers. */
export const memoryConsumerRules = [claim, work, release, list, end];
