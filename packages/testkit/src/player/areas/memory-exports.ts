/**
 * Exports of private scopes, compared with the records of the model, and imported again.
 */
import type { MemoryRecord } from '@agentkeep/core';
import { fullScope } from '../../models/credential-model.js';
import { asTenant } from '../../models/principal.js';
import { Mismatch, difference } from '../compare.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { GRANTED, VERSION } from '../vocabulary.js';
import { isCredentialAdmin } from './credentials.js';
import { holderOf, may } from './memory.js';

const PRIVATE = GRANTED.filter(({ visibility }) => visibility === 'private');

interface ExportLine {
  readonly line: string;
  readonly namespace?: string;
  readonly branch?: string;
  readonly record?: MemoryRecord;
}

/** Returns the records in an export, outside of branches. */
function recordsIn(text: string): Map<string, MemoryRecord> {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportLine);
  const inBranches = new Set(
    lines.flatMap(({ branch, namespace }) => (branch === undefined ? [] : [namespace])),
  );
  const found = new Map<string, MemoryRecord>();
  for (const { line, namespace, record } of lines) {
    const isOutside = line === 'record' && !inBranches.has(namespace);
    if (isOutside && record !== undefined) found.set(record.record_id, record);
  }
  return found;
}

async function exportAndImport(play: Play): Promise<void> {
  const { dice, world } = play;
  const scope = dice.one(PRIVATE);
  const caller = play.caller(may('memory_read'));
  const of = { type: 'scope' as const, scope: fullScope(scope), subject_id: null };
  const document = { ...VERSION, of, with_history: dice.isLucky(50) };
  const answer = await play.ask('exportMemory', caller, { document }, (made, who) => {
    const holder = holderOf(play, who);
    world.memory.spaceFor(holder, 'memory_read', scope, world.now);
    return { page: { next_after: made.page.next_after } };
  });
  if (answer === undefined) return;
  const found = recordsIn(answer.page.text);
  const holder = holderOf(play, play.principal(caller)!);
  for (const id of world.memory.idsIn(holder, scope)) {
    const told = visibleRecord(play, holder, scope, id);
    if (told === undefined) continue;
    const differing = difference(found.get(id), { ...told, lost_sources: undefined });
    if (differing !== undefined) throw new Mismatch(`exportMemory ${id}: ${differing}`);
  }
  await importAgain(play, answer.page.text);
}

function visibleRecord(
  play: Play,
  holder: ReturnType<typeof holderOf>,
  scope: (typeof PRIVATE)[number],
  id: string,
): MemoryRecord | undefined {
  try {
    return play.world.memory.read(holder, scope, id, play.world.now);
  } catch {
    return undefined;
  }
}

/** What was just exported is stored, but for what was removed meanwhile. */
async function importAgain(play: Play, text: string): Promise<void> {
  const caller = play.caller(isCredentialAdmin);
  const document = { ...VERSION, text, dry_run: true };
  await play.ask('importMemory', caller, { document }, (_made, who) => {
    asTenant(who, 'credential_admin');
    return { ...VERSION };
  });
}

const exportRule: Rule = { name: 'export a private scope', weight: 0.6, run: exportAndImport };

/** The rules of exports. */
export const memoryExportRules: readonly Rule[] = [exportRule];
