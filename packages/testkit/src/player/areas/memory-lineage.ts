/** Deletions and redactions of what records were derived from, and traces of them. */
import { fullScope } from '../../models/credential-model.js';
import { scopeOfSpace, type TracedModel } from '../../models/lineage-model.js';
import { Whole } from '../compare.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { VERSION } from '../vocabulary.js';
import { holderOf, may, send } from './memory.js';
import { isMalformed, type ScopedCaller } from './memory-plans.js';

interface TracedRevision {
  readonly id: string;
  readonly revision: number;
}

async function follow(
  play: Play,
  { caller, scope }: ScopedCaller,
  { id, revision }: TracedRevision,
): Promise<void> {
  const { world } = play;
  const document = { ...VERSION, scope, revision, limit: 100 };
  await play.ask('traceMemoryDependents', caller, { id, document }, (made, who) => {
    const told: readonly TracedModel[] = made.page.dependents;
    const asked = { scope, id, revision, told };
    const dependents = world.memory.trace(holderOf(play, who), asked, world.now);
    const page = { state: 'finished', dependents, next_cursor: null };
    return new Whole({ ...VERSION, scope: fullScope(scope), page });
  });
}

const erase: Rule = {
  name: 'erase a source',
  weight: 8,
  run: async (play) => {
    const { dice, world, memory } = play;
    const source = dice.any(world.memory.lineage.sources);
    if (source === undefined) return;
    const { id: record_id, revision } = source;
    const current = world.memory.revisionOf(record_id) ?? 1;
    const caller = play.caller(may('memory_write'));
    const scope = scopeOfSpace(source.space);
    const dependents = dice.one(['report', 'cascade', 'cascade'] as const);
    const operation =
      revision < current
        ? ({ type: 'redact', record_id, revision, dependents } as const)
        : ({ type: 'delete', record_id, expected_revision: current, dependents } as const);
    const command = { scope, idempotency_key: memory.freshKey(), operation };
    memory.sent.push({ caller, command });
    await send(play, { caller, command });
    const after = world.memory.revisionOf(record_id) ?? 1;
    const traced = { id: record_id, revision: revision < current ? revision : after };
    await follow(play, { caller, scope }, traced);
    if (dice.isLucky(30)) {
      await follow(play, { caller: play.caller(may('memory_write')), scope }, traced);
    }
  },
};

const trace: Rule = {
  name: 'trace what was derived',
  weight: 2,
  run: async (play) => {
    const { dice, world, memory } = play;
    const sent = dice.any(memory.sent.filter(({ command }) => !isMalformed(command)));
    if (sent === undefined || !('record_id' in sent.command.operation)) return;
    const { scope, operation } = sent.command;
    const caller = dice.isLucky(60) ? sent.caller : play.caller(may('memory_write'));
    const id = operation.record_id;
    await follow(play, { caller, scope }, { id, revision: world.memory.revisionOf(id) ?? 1 });
  },
};

/** Steps that trace what was derived. */
export const memoryLineageRules = [erase, trace];
