/** Checks of the data directory: its store, its rights, its disk and its snapshots. */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AgentkeepError } from '@agentkeep/core';
import { examineDirectory } from '@agentkeep/core/operator';
import type { ServiceOptions } from '../../options/read-options.js';
import { failureMessage } from '../output/failure.js';
import { type Finding, findingsOf } from './finding.js';
import { foreignRights } from '../command/foreign-rights.js';

/** A disk with less than this many times the reserve is nearly full. */
const RESERVES_MIN = 8;

const MIB = 1_048_576;

const DAY_MS = 86_400_000;
const SNAPSHOT_DAYS_MAX = 7;

/** Checks the configured directory; reads only. */
export async function checkDirectory(options: ServiceOptions, nowMs: number): Promise<Finding[]> {
  const dataDir = resolve(options.dataDir);
  const result = findingsOf('data directory');
  try {
    const examined = await examineDirectory(dataDir);
    return [
      result.ok(`${dataDir} holds a store.`),
      ...durabilityFindings(options, examined.durability),
      diskFinding(examined),
      ...(await rightsFindings(dataDir)),
      await snapshotFinding(dataDir, nowMs),
    ];
  } catch (error) {
    if (!(error instanceof AgentkeepError)) throw error;
    if (await isAbsent(dataDir)) {
      const advice =
        'Name it with --data-dir, or make one: `agentkeep dev` to try, `agentkeep ' +
        'bootstrap-tenant` in production.';
      return [result.warning(`${dataDir} does not exist.`, advice)];
    }
    const [found = '', ...because] = failureMessage(error, dataDir).split('\n');
    return [result.problem(because.map((line) => line.trim()).join(' '), found)];
  }
}

async function isAbsent(directory: string): Promise<boolean> {
  return stat(directory).then(
    () => false,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  );
}

function durabilityFindings({ durability }: ServiceOptions, made: string): Finding[] {
  if (durability === made) return [];
  return [
    findingsOf('durability').problem(
      `The option is ${durability}, but the store was made with ${made}.`,
      `Set the option durability to ${made}, or copy the store to a new directory.`,
    ),
  ];
}

function diskFinding({ freeBytes, reserveBytes }: { freeBytes: number; reserveBytes: number }) {
  const result = findingsOf('disk');
  const free = `${Math.floor(freeBytes / MIB)} MiB are free.`;
  if (freeBytes < reserveBytes) {
    return result.problem(
      `${free} Writes are refused below ${reserveBytes / MIB} MiB.`,
      'Free some space, or move the directory to a larger disk.',
    );
  }
  if (freeBytes < RESERVES_MIN * reserveBytes) {
    return result.warning(free, 'Free some space before writes are refused.');
  }
  return result.ok(free);
}

async function rightsFindings(dataDir: string): Promise<Finding[]> {
  const { mode, uid } = await stat(dataDir);
  const result = findingsOf('rights');
  const found: Finding[] = [];
  const rights = foreignRights(mode);
  if (rights !== undefined) {
    const others = `Other users have rights on ${dataDir} (${rights}).`;
    found.push(result.warning(others, `chmod 700 ${dataDir}`));
  }
  const own = process.getuid?.();
  if (own !== undefined && own !== uid) {
    const owner = `${dataDir} belongs to user ${uid}, and this is user ${own}.`;
    found.push(result.warning(owner, 'Run commands and the server as its owner.'));
  }
  return found;
}

async function snapshotFinding(dataDir: string, nowMs: number): Promise<Finding> {
  const result = findingsOf('snapshots');
  const advice = 'Make one with `agentkeep snapshot`, every day, and copy it to another machine.';
  const times = await Promise.all(
    (await namesIn(join(dataDir, 'snapshots'))).map(
      async (name) => (await stat(join(dataDir, 'snapshots', name))).mtimeMs,
    ),
  );
  if (times.length === 0) return result.warning('There is no snapshot.', advice);
  const days = Math.floor((nowMs - Math.max(...times)) / DAY_MS);
  const found = `The newest snapshot is ${days} days old.`;
  if (days > SNAPSHOT_DAYS_MAX) return result.warning(found, advice);
  return result.ok(found, 'Once a month, see that it can be restored: `agentkeep drill restore`.');
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
