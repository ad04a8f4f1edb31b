/** Branches of memory, compared and merged, with every kind of proof. */
import { shownDifference } from '../../models/branch-copy.js';
import type { Principal } from '../../models/principal.js';
import { Mismatch, Whole } from '../compare.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { UNKNOWN_ID, VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';
import { branchFor } from './memory-in-branches.js';

const NO_DIGEST = 'x'.repeat(43);

const compare: Rule = {
  name: 'compare a branch',
  weight: 4,
  run: async (play) => {
    const { world, memory } = play;
    const { id, caller } = branchFor(play, 'memory_read');
    const parts = { id, parameters: { ...VERSION, limit: 100 } };
    const answer = await play.ask('compareMemoryBranch', caller, parts, (made, who) => {
      const all = world.branches.differences(holderOf(play, who), id, world.now);
      const items = all.map((each) => shownDifference(each, world.memory));
      return new Whole({ ...VERSION, digest: made.digest, page: { items, next_cursor: null } });
    });
    if (answer === undefined) return;
    const { authority } = caller;
    const compared = { id, authority, digest: answer.digest, writes: world.branches.writesIn(id) };
    requireDigest(play, compared);
    memory.compared.push(compared);
  },
};

/** Requires a digest to change with writes, and with nothing else. */
function requireDigest({ memory }: Play, compared: Play['memory']['compared'][number]): void {
  for (const { id, digest, writes } of memory.compared) {
    if (id !== compared.id || (digest === compared.digest) === (writes === compared.writes))
      continue;
    throw new Mismatch(`the digest ${digest} after ${writes} and ${compared.writes} writes`);
  }
}

const merge: Rule = {
  name: 'merge a branch',
  weight: 8,
  run: async (play) => {
    const { world, memory, dice } = play;
    const unknown = { id: UNKNOWN_ID, authority: '', digest: NO_DIGEST, writes: -1 };
    const { id, authority, ...compared } = dice.any(memory.compared.slice(-2)) ?? unknown;
    const { digest, writes } = dice.isLucky(75) ? compared : unknown;
    const key = memory.freshKey();
    const dry_run = dice.isLucky(20);
    const document = { ...VERSION, idempotency_key: key, digest, dry_run };
    const isOfTenant = (who: Principal) => authority === '' || who.authority === authority;
    const caller = play.caller((who) => may('memory_write')(who) && isOfTenant(who));
    await play.ask('mergeMemoryBranch', caller, { id, document }, (_made, who) => {
      const asked = { id, key, writes, isDry: dry_run };
      const merged = world.branches.merge(holderOf(play, who), asked, world.now);
      return new Whole({ ...VERSION, merge: merged });
    });
  },
};

/** Steps that compare and merge branches. */
export const mergeRules = [compare, merge];
