/** Stores items of other projects as records of a scope, or says what would happen. */
import {
  AgentkeepError,
  type Agent,
  type MemoryChangeInput,
  type ScopeInput,
} from '@agentkeep/client';
import { batchesOf } from '@agentkeep/core/operator';
import { sha256 } from '@agentkeep/core/store';
import type { CommandIo } from '../../command/command.js';
import type { ForeignItem } from './foreign-item.js';

/** What an import did, or would do. */
export interface ForeignTotals {
  /** Items of the file. */
  records: number;
  /** Only known of a dry run: names that are taken, and will have a new revision. */
  known?: number;
}

/**
 * Stores the items in batches, each whole or not at all. The same file again stores nothing twice,
 * because each batch has a key of its content.
 */
export async function importForeign(
  io: CommandIo,
  agent: Agent,
  scope: ScopeInput,
  items: AsyncIterable<ForeignItem>,
): Promise<ForeignTotals> {
  const totals = { records: 0 };
  for await (const commands of batchesOf(scope, changesOf(items))) {
    const digest = Buffer.from(sha256(JSON.stringify(commands))).toString('hex');
    await agent.memory.batch(commands, { idempotencyKey: `import-${digest}` });
    totals.records += commands.length;
    if (io.isWatched === true) io.writeError(`\r${totals.records} records`);
  }
  if (io.isWatched === true) io.writeError('\r');
  return totals;
}

/** Counts the items, and those of which the name is taken. */
export async function rehearseForeign(
  agent: Agent,
  scope: ScopeInput,
  items: AsyncIterable<ForeignItem>,
): Promise<ForeignTotals> {
  const memory = agent.memory.in(scope);
  const totals = { records: 0, known: 0 };
  for await (const { name } of items) {
    totals.records += 1;
    if (name !== undefined && (await isTaken(() => memory.read({ name })))) totals.known += 1;
  }
  return totals;
}

async function isTaken(read: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await read()) !== undefined;
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'record_not_found') return false;
    throw error;
  }
}

async function* changesOf(
  items: AsyncIterable<ForeignItem>,
): AsyncGenerator<MemoryChangeInput, void> {
  for await (const { name, record } of items) {
    yield name === undefined ? { type: 'create', record } : { type: 'put', name, record };
  }
}
