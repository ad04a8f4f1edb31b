/** `agentkeep follow`: keeps a second data directory up to date from a replication target. */
import { setTimeout } from 'node:timers/promises';
import { AgentkeepError } from '@agentkeep/core';
import { type Follower, type FollowerStatus, followReplica } from '@agentkeep/core/operator';
import { startMetricsServer } from '../../lifecycle/start-metrics-server.js';
import { listenForStopSignals } from '../../lifecycle/stop-signals.js';
import { openFollowerMetrics } from '../../metrics/follower-metrics.js';
import { CommandError } from '../command/command-error.js';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { jsonLine } from '../output/printable.js';
import { withProgress } from '../output/progress-line.js';

/** How often --once looks at a target that has no whole copy yet, in milliseconds. */
const WAIT_MS = 500;

/** Ends by a signal, or when the target cannot be followed any more. */
export const follow: ServiceCommand = {
  name: 'follow',
  positionals: ['target'],
  summary: 'Keep a second data directory up to date from a replication target.',
  description: [
    'Reads the target, not the server that writes to it. An empty or absent directory first gets a ' +
      'whole copy; a directory that followed before continues from its position. Every part of the ' +
      'target is verified. The command runs until SIGINT or SIGTERM, and may be killed at any time.',
    'The directory is a warm standby: no server can open it until `agentkeep promote` makes it the ' +
      'directory that writes to the target.',
    'With --metrics-port, /metrics has the position and the lag, and /readyz says whether the ' +
      'standby is up to date.',
  ],
  options: ['data_dir', 'metrics_port', 'metrics_host', 'metrics_token'],
  isForDirectories: true,
  ownFlags: [{ name: 'once', summary: 'Exit once the directory is up to date with the target.' }],
  hasJson: true,
  examples: [
    'agentkeep follow /mnt/replica --data-dir ./standby',
    'agentkeep follow /mnt/replica --data-dir ./standby --once --json',
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  using signals = listenForStopSignals();
  // What is written before the first state is reached may be cut at any step.
  const follower = await Promise.race([opened(invocation), signals.first]);
  if (typeof follower === 'string') return;
  try {
    await invocation.io.writeOut(lineOf(invocation, follower.status));
    if (!invocation.flags.has('once')) await watched(follower, invocation, signals.first);
    else await Promise.race([untilFollowing(follower), signals.first]);
  } catch (error) {
    throw explained(error);
  } finally {
    await follower.close();
  }
}

async function opened(invocation: Invocation): Promise<Follower> {
  const { io, options, positionals } = invocation;
  const [target = ''] = positionals;
  const onChange = (status: FollowerStatus): void => {
    // A reader that left does not end a standby.
    void io.writeOut(lineOf(invocation, status)).catch(() => undefined);
  };
  try {
    return await withProgress(io, (onProgress) =>
      followReplica({ target, dataDir: options.dataDir, onProgress, onChange }),
    );
  } catch (error) {
    throw explained(error);
  }
}

/** Resolves once the directory has what the target has; rejects once it cannot be followed. */
async function untilFollowing(follower: Follower): Promise<void> {
  for (;;) {
    const { status } = follower.status;
    if (status === 'following') return;
    if (status === 'ended') return follower.ended;
    await setTimeout(WAIT_MS);
    await follower.catchUp();
  }
}

/** Resolves at a signal; rejects once the target cannot be followed. */
async function watched(
  follower: Follower,
  { io, options }: Invocation,
  stopping: Promise<unknown>,
): Promise<void> {
  const { port, host, token } = options.metrics;
  if (port === undefined) {
    await Promise.race([stopping, follower.ended]);
    return;
  }
  const server = await startMetricsServer(await openFollowerMetrics(follower), {
    host,
    port,
    isReady: () => Promise.resolve(follower.status.status === 'following'),
    ...(token === undefined ? {} : { token }),
  });
  try {
    io.writeError(`Metrics: ${server.url}\n`);
    await Promise.race([stopping, follower.ended]);
  } finally {
    await server.stop();
  }
}

function lineOf({ json, positionals }: Invocation, status: FollowerStatus): string {
  if (json) return jsonLine(status);
  const { data_directory: directory, generation, position, committed_at: at } = status;
  const place = `position ${position} of generation ${generation}, committed at ${at ?? 'no time'}`;
  const [target = ''] = positionals;
  return status.status === 'following'
    ? `${directory} is up to date with ${target}: ${place}\n`
    : `${directory} is at ${place}; ${REASONS[status.status]}\n`;
}

const REASONS: Readonly<Record<Exclude<FollowerStatus['status'], 'following'>, string>> = {
  away: 'the target does not answer; trying again',
  waiting: 'waiting for the first whole copy in the target',
  ended: 'the directory no longer follows the target',
};

/** Names the object of the target that does not verify. */
function explained(error: unknown): unknown {
  if (!(error instanceof AgentkeepError) || !(error.cause instanceof Error)) return error;
  if (!error.code.startsWith('replica_') && error.code !== 'store_incompatible') return error;
  return new CommandError(`${error.message}\n  because: ${error.cause.message}`, { cause: error });
}
