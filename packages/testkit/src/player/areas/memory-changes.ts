/** Readers of changes: from the beginning, or on from where they stopped. */
import type { CommittedChange } from '@agentkeep/core';
import type { SeenChange } from '../../models/change-model.js';
import { validScope } from '../../models/memory-command.js';
import { Refusal } from '../../models/outcome.js';
import { difference, Mismatch, Whole } from '../compare.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';
import { scopeFor } from './memory-plans.js';

/** In one order, because the model knows no order of commands that raced. */
function sorted(changes: readonly SeenChange[]): SeenChange[] {
  return changes.toSorted(
    (one, other) =>
      one.record_id.localeCompare(other.record_id) ||
      one.revision - other.revision ||
      one.action.localeCompare(other.action),
  );
}

/** Requires revisions of a record in their order. */
function requireOrder(changes: readonly SeenChange[]): void {
  const last = new Map<string, number>();
  for (const { record_id, revision, action } of changes) {
    // A reader that begins in between may not have seen the revision that is redacted.
    if (action === 'redacted') continue;
    if (revision <= (last.get(record_id) ?? 0)) {
      throw new Mismatch(`revision ${revision} of ${record_id} came late or twice`);
    }
    last.set(record_id, revision);
  }
}

const follow: Rule = {
  name: 'follow changes of memory',
  weight: 2,
  run: async (play: Play) => {
    const { dice, world, memory } = play;
    const caller = play.caller(may('memory_read'));
    const scope = dice.isLucky(50) ? scopeFor(play, caller) : undefined;
    const mark = dice.isLucky(60) ? dice.any(memory.marks) : undefined;
    const { mission_id, ...rest } = scope ?? {};
    const place = { ...rest, ...(typeof mission_id === 'string' ? { mission_id } : {}) };
    const limit = 1 + dice.below(9);
    const readOf = (who: NonNullable<ReturnType<Play['principal']>>) => {
      const holder = holderOf(play, who);
      world.credentials.authenticate(holder, world.now);
      return { holder, scope: scope && validScope(scope), now: world.now };
    };
    const seen: CommittedChange[] = [];
    let after = mark?.cursor;
    let hasMore: boolean;
    do {
      const position = after === undefined ? {} : { after };
      const parameters = { ...VERSION, ...place, ...position, limit };
      const answer = await play.ask('listMemoryChanges', caller, { parameters }, (_made, who) => {
        const { tenant_id } = world.memory.changes.prove(readOf(who));
        if (mark !== undefined && mark.tenantId !== tenant_id) throw new Refusal('invalid_request');
        return VERSION;
      });
      if (answer === undefined) return;
      seen.push(...answer.page.changes);
      after = answer.page.next_after;
      hasMore = answer.page.has_more;
    } while (hasMore);
    const read = readOf(play.principal(caller)!);
    const told = sorted(world.memory.changes.read(read, mark?.count ?? 0));
    const found = sorted(seen.map(({ cursor: _cursor, ...change }) => change));
    const wrong = difference(found, new Whole(told));
    if (wrong !== undefined) throw new Mismatch(`followed changes: ${wrong}`);
    requireOrder(seen);
    const { tenant_id: tenantId } = world.memory.changes.prove(read);
    memory.marks.push({ tenantId, cursor: after, count: world.memory.changes.count });
  },
};

/** Steps that follow changes. */
export const memoryChangeRules = [follow];
