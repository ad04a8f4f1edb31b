/** Measures exports and imports of many records, in memory and on disk. */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type Agent,
  inMemoryStore,
  type KeepOptions,
  type MemoryChangeInput,
} from '@agentkeep/core';
import { batchesOf } from '@agentkeep/core/operator';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import type { Reading } from './measure.js';

/** How much is exported. */
export interface ExportLoad {
  readonly records: number;
}

const FULL: ExportLoad = { records: 100_000 };

/** A reading for each store: an export to a file, its import, and the import once more. */
export async function* exportBenchmarks(load: ExportLoad = FULL): AsyncGenerator<Reading, void> {
  await using directory = await temporaryDirectory();
  yield await measured('in memory', directory.path, load, () => ({ store: inMemoryStore() }));
  yield await measured('lmdb', directory.path, load, (name) => ({
    dataDir: join(directory.path, name),
  }));
}

async function measured(
  store: string,
  folder: string,
  { records }: ExportLoad,
  where: (name: string) => KeepOptions,
): Promise<Reading> {
  const file = join(folder, `${store}.jsonl`);
  const from = await keepWithAgent(where('from'));
  for await (const commands of batchesOf(scope, changesOf(records))) {
    await from.agent.memory.batch(commands);
  }
  const growth = heldMemory();
  const exportMs = await timeOf(() => exportTo(from.admin, file));
  const grownBytes = growth.end();
  await from.keep.close();
  const to = await keepWithAgent(where('to'));
  const dryMs = await timeOf(() => importFrom(to.admin, file, { dryRun: true }));
  const importMs = await timeOf(() => importFrom(to.admin, file));
  const againMs = await timeOf(() => importFrom(to.admin, file));
  await to.keep.close();
  return {
    name: `exports, ${String(records)} records, ${store}`,
    figures: {
      export_seconds: exportMs / 1_000,
      export_growth_mb: grownBytes / 1_000_000,
      dry_run_seconds: dryMs / 1_000,
      import_seconds: importMs / 1_000,
      imported_per_minute: (records / importMs) * 60_000,
      import_again_seconds: againMs / 1_000,
    },
  };
}

function* changesOf(records: number): Generator<MemoryChangeInput, void> {
  for (let at = 0; at < records; at += 1) yield { type: 'create', record: recordAt(at) };
}

function exportTo(admin: Agent, file: string): Promise<void> {
  return pipeline(admin.exports.texts({ type: 'tenant' }), createWriteStream(file));
}

async function importFrom(admin: Agent, file: string, options: object = {}): Promise<void> {
  const texts = createReadStream(file, { encoding: 'utf8' }) as AsyncIterable<string>;
  const { refused } = await admin.exports.import(texts, options);
  if (refused > 0) throw new Error(`${String(refused)} lines were refused.`);
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Samples the memory of the process; `end` returns by how much it grew at most. */
function heldMemory(): { readonly end: () => number } {
  const bytes = (): number => process.memoryUsage().rss;
  const before = bytes();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, bytes())), 50);
  return {
    end: () => {
      clearInterval(timer);
      return most - before;
    },
  };
}
