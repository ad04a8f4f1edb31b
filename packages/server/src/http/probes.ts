/** Probes of supervisors: whether the process answers, and whether it can serve. */
import { CONTRACT_VERSION } from '@agentkeep/core';
import type { storeLevel } from '@agentkeep/core/operator';

/** The level of a store, and the servers that have it open. */
export type LevelReport = ReturnType<typeof storeLevel.of>;

/** A question of a supervisor. */
export type Probe = 'live' | 'ready';

/** The path of each probe, for GET. They need no proof and are never rate limited. */
export const probePaths: Readonly<Record<Probe, string>> = { live: '/livez', ready: '/readyz' };

/** The status and body of a probe's answer. */
export interface ProbeAnswer {
  readonly status: 200 | 503;
  readonly body: string;
}

/** The body is a single word (docs/contract/platform.md#plt-16). */
function answerOf(status: ProbeAnswer['status'], word: string): ProbeAnswer {
  return { status, body: JSON.stringify({ contract_version: CONTRACT_VERSION, status: word }) };
}

const live = answerOf(200, 'live');
const ready = answerOf(200, 'ready');
const notReady = answerOf(503, 'not_ready');

/**
 * Answers a probe. Calls `isReady` only if the probe needs it. `levels` are for those who may read
 * metrics (docs/contract/platform.md#plt-47).
 */
export async function answerProbe(
  probe: Probe,
  isReady: () => Promise<boolean>,
  levels?: () => LevelReport,
): Promise<ProbeAnswer> {
  if (probe === 'live') return live;
  const answer = (await isReady()) ? ready : notReady;
  if (levels === undefined) return answer;
  const body = JSON.stringify({ ...(JSON.parse(answer.body) as object), ...levels() });
  return { ...answer, body };
}
