/**
 * Compares HTTP requests as they are served, with the log on, with bare `node:http` with the same
 * headers, and with routes of Hono: a read and a command, by rate and by CPU time of the server.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordAt, scope, temporaryDirectory } from './fixture.js';
import type { Listening, Role, Spent } from './http-server.js';
import { Load, type LoadRequest } from './load.js';
import { type Comparison, median, ROUNDS, WARM_UP_ROUNDS } from './measure.js';

/** A test runner does not pass its own loader on. */
const LOADER = ['--import', import.meta.resolve('tsx')];
const CONNECTIONS = 64;
const REQUESTS = 20_000;
const TARGET = 0.4;
/** What the way past Hono must win, or it goes (ADR 0045). */
const WIN = 1.2;
const MICROS = 1_000_000;

/** Sizes of the work; smaller in tests. */
export interface HttpLoad {
  readonly connections: number;
  readonly requests: number;
}

/** What one round of requests took. */
interface Round {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** With each opponent, two comparisons for the read, and two for the command. */
export async function* httpBenchmarks({
  connections = CONNECTIONS,
  requests = REQUESTS,
}: Partial<HttpLoad> = {}): AsyncGenerator<Comparison, void> {
  await using directory = await temporaryDirectory();
  // The log goes to a file, as where a supervisor keeps it.
  await using log = await open(join(directory.path, 'log'), 'w');
  await using ours = await Subject.start('served', log.fd, connections);
  await using bare = await Subject.start('bare', 'ignore', connections);
  yield* compared('HTTP read by id', { ours, bare, requests, request: readRequest });
  yield* compared('HTTP command', { ours, bare, requests, request: commandRequest });
  await using routed = await Subject.start('routed', log.fd, connections);
  const contest = { ours, bare: routed, requests, target: WIN, against: 'routes of Hono' };
  yield* compared('HTTP read past Hono', { ...contest, request: readRequest });
  yield* compared('HTTP command past Hono', { ...contest, request: commandRequest });
}

/** Two servers, and the requests that both get. */
export interface Contest {
  readonly ours: Subject;
  readonly bare: Subject;
  readonly requests: number;
  readonly request: (listening: Listening) => LoadRequest;
  readonly target?: number;
  /** What the other server is. */
  readonly against?: string;
}

/** Alternates rounds, and compares both rates of each pair. */
export async function* compared(
  name: string,
  { ours, bare, requests, request, target = TARGET, against = 'bare node:http' }: Contest,
): AsyncGenerator<Comparison, void> {
  const pairs: { ours: Round; bare: Round }[] = [];
  for (let index = 0; index < WARM_UP_ROUNDS + ROUNDS; index++) {
    const pair = {
      ours: await ours.round(requests, request),
      bare: await bare.round(requests, request),
    };
    if (index >= WARM_UP_ROUNDS) pairs.push(pair);
  }
  const comparison = (shown: string, rate: (round: Round) => number): Comparison => ({
    name: shown,
    target,
    ratio: median(pairs.map((pair) => rate(pair.ours) / rate(pair.bare))),
    perSecond: median(pairs.map((pair) => rate(pair.ours))),
    rawPerSecond: median(pairs.map((pair) => rate(pair.bare))),
    against,
  });
  yield comparison(name, ({ perSecond }) => perSecond);
  yield comparison(`${name}, per CPU`, ({ perCpuSecond }) => perCpuSecond);
}

/** A server in a process of its own, and the connections to it. */
export class Subject {
  readonly #child: ChildProcess;
  readonly #listening: Listening;
  readonly #load: Load;

  private constructor(child: ChildProcess, listening: Listening, load: Load) {
    this.#child = child;
    this.#listening = listening;
    this.#load = load;
  }

  /** Starts a server with a number of records, and connects to it. */
  static async start(
    role: Role,
    stdout: number | 'ignore',
    connections: number,
    records = 0,
  ): Promise<Subject> {
    const program = fileURLToPath(new URL('./http-server.ts', import.meta.url));
    const child = fork(program, [role, String(records)], {
      execArgv: LOADER,
      stdio: ['ignore', stdout, 'inherit', 'ipc'],
    });
    const [listening] = (await once(child, 'message')) as [Listening];
    return new Subject(child, listening, await new Load().open(listening.port, connections));
  }

  /** Sends requests, and returns how many it answers in a second, and in a second of its CPU. */
  async round(requests: number, request: (listening: Listening) => LoadRequest): Promise<Round> {
    const cpuBefore = await this.#cpuMicros();
    const startedMs = performance.now();
    await this.#load.run(requests, request(this.#listening));
    const seconds = (performance.now() - startedMs) / 1_000;
    const cpuSeconds = ((await this.#cpuMicros()) - cpuBefore) / MICROS;
    return { perSecond: requests / seconds, perCpuSecond: requests / cpuSeconds };
  }

  async #cpuMicros(): Promise<number> {
    this.#child.send('cpu');
    const [{ cpuMicros }] = (await once(this.#child, 'message')) as [Spent];
    return cpuMicros;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#load.close();
    this.#child.send('stop');
    await once(this.#child, 'exit');
  }
}

/** Reads one record, or each of the further ones. */
export function readRequest({ secret, recordId, recordIds }: Listening): LoadRequest {
  const query = new URLSearchParams({ contract_version: '1', ...scope }).toString();
  return {
    method: 'GET',
    path: (number) => {
      const id = recordIds[(number * 7) % recordIds.length] ?? recordId;
      return `/api/v1/memory/records/${id}?${query}`;
    },
    headers: { Authorization: `Bearer ${secret}` },
  };
}

/** Stores a record. */
export function commandRequest({ secret }: Listening): LoadRequest {
  return {
    method: 'POST',
    path: '/api/v1/memory/commands',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: (number) =>
      JSON.stringify({
        contract_version: 1,
        // As the clients make them.
        idempotency_key: randomUUID(),
        scope,
        operation: { type: 'create', record: recordAt(number) },
      }),
  };
}
