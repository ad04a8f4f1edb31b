/**
 * Compares Agentkeep with what a user would pick instead, on the same work in one run. Contenders
 * run in processes of their own and take turns, round by round.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../fixture.js';
import { Load } from '../load.js';
import { median, type Reading } from '../measure.js';
import { type CompareLoad, nameOf, type RowName, rows } from './contender.js';
import { ContenderChild, timeOfFirstRead } from './contender-child.js';
import { type ContenderName, contenders } from './contenders.js';
import { installPeers } from './peers.js';
import { ABSENT_WORD, sampleAt } from './sample.js';

const FULL: CompareLoad = { records: 100_000, rounds: 5, shorten: 1 };
const HTTP_STORES = 4_000;
const HTTP_SEARCHES = 48;
const CALLERS = { httpStore: 64, httpAbsent: 16 } as const;
/** Numbers of the records that are stored over HTTP. */
const SERVED_FROM = 20_000_000;

type Figures = Map<RowName, Map<ContenderName, number>>;

/** One reading a row, with a figure a contender. */
export async function* compareBenchmarks(
  load: CompareLoad = FULL,
  names = Object.keys(contenders) as ContenderName[],
): AsyncGenerator<Reading, void> {
  if (names.some((name) => name !== 'agentkeep')) installPeers();
  await using directory = await temporaryDirectory();
  const running = new Map<ContenderName, ContenderChild>();
  const figures: Figures = new Map();
  try {
    for (const name of names) {
      running.set(name, await ContenderChild.start(name, directory.path, load));
    }
    for (const row of Object.keys(rows) as RowName[]) {
      if (row === 'bytes') await measureClosed(running, figures, load);
      else if (row !== 'reopen') figures.set(row, await measureRow(running, row, load));
      yield readingOf(row, figures);
    }
  } finally {
    for (const child of running.values()) child.end();
  }
}

async function measureRow(
  running: ReadonlyMap<ContenderName, ContenderChild>,
  row: RowName,
  load: CompareLoad,
): Promise<Map<ContenderName, number>> {
  const found = new Map<ContenderName, number[]>();
  for (let round = 0; round < load.rounds; round++) {
    for (const [name, child] of running) {
      const figure =
        row === 'httpStore' || row === 'httpAbsent'
          ? await measureHttp(child, row, load)
          : await child.measure(row);
      if (figure !== undefined) found.set(name, [...(found.get(name) ?? []), figure]);
    }
  }
  return new Map(Array.from(found, ([name, values]) => [name, median(values)]));
}

let served = SERVED_FROM;

async function measureHttp(
  child: ContenderChild,
  row: 'httpStore' | 'httpAbsent',
  load: CompareLoad,
): Promise<number | undefined> {
  const { http } = child.kind;
  if (http === undefined) return undefined;
  const { port, headers } = await child.serve();
  const isStore = row === 'httpStore';
  const full = isStore ? HTTP_STORES : HTTP_SEARCHES;
  const total = Math.max(1, Math.ceil(full / load.shorten));
  const connections = await new Load().open(port, CALLERS[row]);
  const startedMs = performance.now();
  await connections.run(total, {
    method: 'POST',
    path: isStore ? http.store.path : http.find.path,
    headers,
    body: () => (isStore ? http.store.body(sampleAt(served++)) : http.find.body(ABSENT_WORD)),
  });
  const tookMs = performance.now() - startedMs;
  connections.close();
  if (isStore) child.servedRecords += total;
  return (total / tookMs) * 1_000;
}

/** Closes every contender, then measures what is on disk and how long it takes to open again. */
async function measureClosed(
  running: ReadonlyMap<ContenderName, ContenderChild>,
  figures: Figures,
  { rounds }: CompareLoad,
): Promise<void> {
  const bytes = new Map<ContenderName, number>();
  const reopen = new Map<ContenderName, number>();
  for (const [name, child] of running) {
    const held = await child.close();
    const size = await sizeOf(child.directory);
    if (held > 0 && size > 0) bytes.set(name, size / held);
  }
  const times = new Map<ContenderName, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, { kind, directory }] of running) {
      if (kind.readFirst === undefined) continue;
      times.set(name, [...(times.get(name) ?? []), await timeOfFirstRead(name, directory)]);
    }
  }
  for (const [name, values] of times) reopen.set(name, median(values));
  figures.set('bytes', bytes).set('reopen', reopen);
}

async function sizeOf(directory: string): Promise<number> {
  let size = 0;
  for (const name of await readdir(directory, { recursive: true })) {
    if (name.endsWith('server.log')) continue;
    const found = await stat(join(directory, name));
    if (found.isFile()) size += found.size;
  }
  return size;
}

function readingOf(row: RowName, figures: Figures): Reading {
  return { name: nameOf(row), figures: Object.fromEntries(figures.get(row) ?? []) };
}
