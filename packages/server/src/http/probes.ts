/** Probes of supervisors: whether the process answers, and whether it can serve. */
import { CONTRACT_VERSION } from '@agentkeep/core';

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

/** Answers a probe. Calls `isReady` only if the probe needs it. */
export async function answerProbe(
  probe: Probe,
  isReady: () => Promise<boolean>,
): Promise<ProbeAnswer> {
  if (probe === 'live') return live;
  return (await isReady()) ? ready : notReady;
}
