/** Checks the replication target that `agentkeep serve` would use. */
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { AgentkeepError } from '@agentkeep/core';
import { examineReplica, type ReplicaExamination } from '@agentkeep/core/operator';
import type { ServiceOptions } from '../../options/read-options.js';
import { failureMessage } from '../output/failure.js';
import { type Finding, findingsOf } from './finding.js';

const MISSING =
  'Check that its disk or share is mounted. If the target is new, start the server, which creates ' +
  'the folder and the first copy. If the folder was removed, start over with `agentkeep promote`.';

const HOUR_MS = 3_600_000;

/** A copy is made once a day: one this old means that copies fail. */
const COPY_HOURS_MAX = 48;

/** Checks the configured target; reads only. Returns nothing where there is none. */
export async function checkReplica(options: ServiceOptions, nowMs: number): Promise<Finding[]> {
  const { replicateTo, dataDir } = options;
  if (replicateTo === undefined) return [];
  const { target, mode = 'async' } = replicateTo;
  const result = findingsOf('replication');
  // The server makes it; a check makes nothing.
  if (isAbsolute(target) && !existsSync(target)) {
    return [result.warning(`${target} does not exist.`, MISSING)];
  }
  try {
    const examined = await examineReplica({ target, dataDir });
    if (examined !== undefined) return [findingOf(examined, { target, mode, nowMs })];
    const advice = 'Start the server: it makes the first whole copy.';
    return [result.warning(`${target} answers and is empty.`, advice)];
  } catch (error) {
    if (!(error instanceof AgentkeepError)) throw error;
    if (error.code === 'store_incompatible') return [];
    const because = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    const advice =
      'Until the target works again, commits wait in the data directory and would be lost with ' +
      'its disk.';
    return [result.problem(`${failureMessage(error)}${because}`.replaceAll('\n', ' '), advice)];
  }
}

interface CheckedTarget {
  readonly target: string;
  readonly mode: string;
  readonly nowMs: number;
}

function findingOf(examined: ReplicaExamination, { target, mode, nowMs }: CheckedTarget): Finding {
  const result = findingsOf('replication');
  const { role, generation, epoch, position, committedMs, copyMs } = examined;
  if (role === 'other') {
    return result.problem(
      `Another data directory writes to ${target} since epoch ${epoch}.`,
      'Serve only one of the two directories. To let this one take over, run `agentkeep promote`.',
    );
  }
  const committed = committedMs === null ? 'no time' : new Date(committedMs).toISOString();
  const place = `position ${position} of generation ${generation}, committed at ${committed}`;
  if (role === 'standby') {
    const advice = 'Before you serve it, run `agentkeep promote`.';
    return result.ok(`The data directory follows ${target}, which is at ${place}.`, advice);
  }
  if (copyMs === null) {
    const found = `${target} has no whole copy of generation ${generation} yet.`;
    return result.warning(
      found,
      'It can be restored only from its first whole copy on: keep the server running.',
    );
  }
  const hours = Math.floor((nowMs - copyMs) / HOUR_MS);
  const found = `${target} answers (${mode}). It is at ${place}; its whole copy is ${hours} h old.`;
  if (hours > COPY_HOURS_MAX && (committedMs ?? 0) > copyMs) {
    return result.warning(found, 'The log of the server says why there is no newer copy.');
  }
  return result.ok(
    found,
    'Watch agentkeep_replication_lag_seconds. Once a month: `agentkeep drill restore --from`.',
  );
}
