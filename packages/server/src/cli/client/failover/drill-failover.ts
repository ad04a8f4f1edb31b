/** `agentkeep drill failover`: measures what callers notice while a server or a database fails. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { Agent, AgentkeepError, type ScopedMemory } from '@agentkeep/client';
import { connectCalls } from '@agentkeep/client/calls';
import { CONTRACT_VERSION } from '@agentkeep/core';
import { CommandError } from '../../command/command-error.js';
import type { ClientCommand, ClientInvocation, CommandIo } from '../../command/command.js';
import { scopeFlags, scopeOf } from '../../command/scope-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { jsonLine, printable } from '../../output/printable.js';
import { numberOf } from '../flag-values.js';
import { chooseServer } from '../profiles/chosen-server.js';
import { refusal } from '../refusal.js';
import { DrillRecords, type FoundRecords } from './drill-records.js';
import { type DrillMeasured, drillFailover, type DrillPorts } from './failover-drill.js';

const SECONDS_DEFAULT = 120;
const SECONDS_MAX = 3_600;

/** Longest time that one try of a write may take. */
const TRY_MS = 2_000;
const READY_MS = 1_000;

/** Stops nothing itself: the operator does, once the drill says so. */
export const drillFailoverCommand: ClientCommand = {
  name: 'drill failover',
  positionals: [],
  summary: 'Write to several servers while you stop one, and measure the longest wait.',
  description: [
    'Writes five small records a second to the servers in turn, and asks each for /readyz. Then ' +
      'you stop a server, restart it, or fail the database over. A write that one server ' +
      'refuses goes to the next one at once, under the same idempotency key.',
    'It ends two seconds after all servers are ready again, after --seconds, or with Ctrl+C. ' +
      'Then it reads back what was acknowledged, deletes it, and prints the longest wait of a ' +
      'write, the failed tries by code, and how long each server was not ready.',
    'The servers are the chosen one and those of --server, which get the same secret. The exit ' +
      'status is 1 if an acknowledged record is lost or there twice, or if nothing failed.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    {
      name: 'server',
      placeholder: '<url>',
      summary: 'Another server of the same database.',
      isRepeatable: true,
    },
    {
      name: 'seconds',
      placeholder: '<n>',
      summary: `Longest time, 5 to ${SECONDS_MAX}. Default: ${SECONDS_DEFAULT}.`,
    },
    { name: 'yes', summary: 'Begin without asking.' },
    ...scopeFlags,
  ],
  examples: [
    'agentkeep drill failover --profile ops --server https://two.internal --server https://three.internal',
    'agentkeep drill failover --seconds 300 --yes --json',
  ],
  run,
};

async function run({ io, flags, json }: ClientInvocation): Promise<void> {
  const server = chooseServer(io, flags);
  const seconds = secondsOf(flags.text('seconds'));
  const scope = scopeOf(flags) ?? server.scope;
  if (scope === undefined) {
    throw new UsageError('A scope is needed: --project-id and --agent-id, or a profile with one.');
  }
  const { caller } = server;
  if (!('secret' in caller)) {
    throw new UsageError('The drill needs the secret of a credential, not the login of a person.');
  }
  const urls = [...new Set([...server.url.split(','), ...flags.all('server')])];
  if (!flags.has('yes')) await confirm(io, urls);
  await requireReady(urls);
  const memoryAt = (url: string, retry?: false): ScopedMemory => {
    const call = connectCalls({ url, ...caller, timeoutMillis: TRY_MS, retry });
    return new Agent(call, randomUUID).memory.in(scope);
  };
  const records = new DrillRecords(new Map(urls.map((url) => [url, memoryAt(url, false)])));
  const interrupted = io.interrupted?.() ?? new AbortController().signal;
  io.writeError('Writing. Now stop a server, or fail the database over, and bring it back.\n');
  try {
    const measured = await drillFailover(portsOf(urls, records, interrupted), seconds * 1_000);
    const readable = memoryAt((await firstReady(urls)) ?? server.url);
    const found = await records.takeBack(readable, measured.acknowledged);
    await report({ io, json }, measured, found);
  } catch (error) {
    if (!(error instanceof AgentkeepError)) throw error;
    throw new CommandError(refusal(error, server), { cause: error });
  }
}

function secondsOf(text: string | undefined): number {
  const seconds = text === undefined ? SECONDS_DEFAULT : numberOf(text, '--seconds');
  if (seconds >= 5 && seconds <= SECONDS_MAX) return seconds;
  throw new UsageError(`--seconds: a number from 5 to ${SECONDS_MAX}.`);
}

async function confirm({ ask }: CommandIo, urls: readonly string[]): Promise<void> {
  if (ask === undefined) {
    throw new UsageError('Without a terminal the drill begins with --yes only.');
  }
  const servers = urls.map(printable).join(', ');
  const answer = await ask(`Write to ${servers}, and stop one of them by hand? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('Nothing was written.');
}

function portsOf(
  urls: readonly string[],
  records: DrillRecords,
  interrupted: AbortSignal,
): DrillPorts {
  return {
    urls,
    isReady,
    write: (url, number) => records.write(url, number),
    nowMs: () => performance.now(),
    pause: (ms) => setTimeout(ms, undefined, { signal: interrupted }).catch(() => undefined),
    isInterrupted: () => interrupted.aborted,
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const path = `${url.replace(/\/$/, '')}/readyz`;
    const signal = AbortSignal.timeout(READY_MS);
    const { ok, body } = await fetch(path, { signal, redirect: 'error' });
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}

async function requireReady(urls: readonly string[]): Promise<void> {
  const ready = await Promise.all(urls.map(isReady));
  const others = urls.filter((_, at) => ready[at] !== true);
  if (others.length === 0) return;
  throw new CommandError(
    `Not ready, so the drill does not begin: ${others.map(printable).join(', ')}. ` +
      'See `agentkeep doctor`.',
  );
}

async function firstReady(urls: readonly string[]): Promise<string | undefined> {
  for (const url of urls) if (await isReady(url)) return url;
  return undefined;
}

/**
 * Prints what was measured.
 * @throws {CommandError} when the drill failed, or measured nothing.
 */
async function report(
  { io, json }: Pick<ClientInvocation, 'io' | 'json'>,
  measured: DrillMeasured,
  { lost, doubled }: FoundRecords,
): Promise<void> {
  const { acknowledged, longestWaitMs, repeated, refusals, notReadyMs, isOver } = measured;
  const document = {
    contract_version: CONTRACT_VERSION,
    acknowledged,
    lost,
    doubled,
    longest_wait_millis: Math.round(longestWaitMs),
    repeated,
    refusals,
    servers: Object.entries(notReadyMs).map(([url, ms]) => ({
      url,
      not_ready_millis: Math.round(ms),
    })),
    is_over: isOver,
  };
  await io.writeOut(json ? jsonLine(document) : textOf(document));
  if (lost + doubled > 0) {
    throw new CommandError(
      'Acknowledged records are lost or doubled. Keep the logs of all servers.',
    );
  }
  if (measured.hasFailed) return;
  throw new CommandError('No server failed, so nothing was measured. Stop one during the drill.');
}

function textOf(measured: {
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly longest_wait_millis: number;
  readonly repeated: number;
  readonly refusals: DrillMeasured['refusals'];
  readonly servers: readonly { readonly url: string; readonly not_ready_millis: number }[];
  readonly is_over: boolean;
}): string {
  const { acknowledged, lost, doubled, repeated, refusals, servers } = measured;
  const codes = Object.entries(refusals).map(([code, count]) => `${code} ${count}`);
  return [
    `${acknowledged} records acknowledged, ${lost} lost, ${doubled} doubled`,
    `  longest wait of a write: ${measured.longest_wait_millis} ms`,
    `  writes that were sent again: ${repeated}${codes.length === 0 ? '' : ` (${codes.join(', ')})`}`,
    ...servers.map(
      ({ url, not_ready_millis }) => `  ${printable(url)}: not ready for ${not_ready_millis} ms`,
    ),
    ...(measured.is_over ? [] : ['  The failure was not over when the drill ended.']),
    '',
  ].join('\n');
}
