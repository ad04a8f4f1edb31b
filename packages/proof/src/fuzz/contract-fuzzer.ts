/** Proof: whatever is sent, the answer is one that the contract describes. */
import { startServer } from '@agentkeep/server';
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { Checker } from './checker.js';
import { type Contract, readContract } from './contract-operations.js';
import { curlOf } from './curl.js';
import { type Failure, Round } from './round.js';
import { openServer, type ServerUnderTest } from './server-under-test.js';
import { socketTransport } from './socket-transport.js';
import { Statuses } from './statuses.js';
import { appTransport, type Transport } from './transport.js';

/** The parameters of a round. */
interface RoundPlan {
  readonly via: 'app' | 'socket';
  readonly limits: 'lifted' | 'in force';
  readonly requests: number;
}

/** The rounds of one repetition. */
const PLANS = {
  short: [
    { via: 'app', limits: 'lifted', requests: 2_400 },
    { via: 'socket', limits: 'lifted', requests: 800 },
    { via: 'app', limits: 'in force', requests: 300 },
  ],
  full: [
    { via: 'app', limits: 'lifted', requests: 4_000 },
    { via: 'app', limits: 'lifted', requests: 4_000 },
    { via: 'socket', limits: 'lifted', requests: 1_600 },
    { via: 'app', limits: 'in force', requests: 400 },
  ],
} as const satisfies Record<string, readonly RoundPlan[]>;

/** Some generated requests can't be sent, so more than 200,000 are generated. */
const REPETITIONS = { short: 1, full: 21 };
/** Operations that can't succeed here, with the reason. All of their refusals are fuzzed. */
const NEED_OTHERS: Readonly<Record<string, string>> = {
  beginSignIn: 'the server reaches an issuer',
  completeSignIn: 'a person comes back from the sign-in page of an issuer',
  receiveIssuerLogout: 'an issuer at which somebody signed in signs its token',
  endConnection: 'a program has redeemed its approval at the front door',
};
/** Number of failures after which the proof stops. */
const FAILURES_MAX = 20;
const ROUND_SEED_STEP = 7_919;

/** The contract fuzzer. */
export const contractFuzzer: ProofProgram = {
  name: 'contract fuzzer',
  claim:
    'Whatever is sent to it, the service gives a documented answer in time, and no secret or data of another tenant.',
  run: fuzz,
};

/** State shared by all rounds. */
interface Fuzzing {
  readonly run: ProofRun;
  readonly contract: Contract;
  readonly checker: Checker;
  readonly statuses: Statuses;
  readonly violations: string[];
  /** Complaints so far, so that each is reported once. */
  readonly known: Set<string>;
}

async function fuzz(run: ProofRun): Promise<Finding> {
  const text = await publishedContract();
  const fuzzing: Fuzzing = {
    run,
    contract: readContract(text),
    checker: new Checker(text),
    statuses: new Statuses(),
    violations: [],
    known: new Set(),
  };
  const plans = Array.from({ length: REPETITIONS[run.scale] }, () => PLANS[run.scale]).flat();
  let overSockets = 0;
  for (const [index, plan] of plans.entries()) {
    if (fuzzing.known.size >= FAILURES_MAX) break;
    const seed = run.seed * ROUND_SEED_STEP + index;
    try {
      await oneRound(fuzzing, plan, seed);
    } catch (error) {
      fuzzing.violations.push(`Round ${seed} broke off: ${String(error)}`);
    }
    if (plan.via === 'socket') overSockets += plan.requests;
  }
  return findingOf(fuzzing, overSockets);
}

function findingOf({ run, contract, statuses, violations }: Fuzzing, overSockets: number): Finding {
  const never = statuses.neverSucceeded(contract.operations.map(({ id }) => id));
  if (run.scale === 'full') {
    for (const [id, why] of Object.entries(NEED_OTHERS)) {
      run.report(`${id} is only refused: it succeeds once ${why}.`);
      if (!never.includes(id)) violations.push(`${id} succeeded, so it needs no exception.`);
    }
    for (const line of [...statuses.lines(), statuses.summary()]) run.report(line);
    const unexplained = never.filter((id) => !(id in NEED_OTHERS));
    const why = 'never succeeded, so it was not really fuzzed.';
    violations.push(...unexplained.map((id) => `${id} ${why}`));
  }
  return {
    done: {
      requests: statuses.total,
      'over sockets': overSockets,
      successes: statuses.succeeded,
      'operations that succeeded': contract.operations.length - never.length,
    },
    violations,
  };
}

/** Fetches the contract from a server, as clients do. */
async function publishedContract(): Promise<string> {
  await using server = await openServer('lifted');
  const response = await server.app.request('/openapi.json');
  return await response.text();
}

async function oneRound(fuzzing: Fuzzing, plan: RoundPlan, seed: number): Promise<void> {
  const { run, statuses, contract, checker } = fuzzing;
  await using server = await openServer(plan.limits);
  const { transport, stop } = await transportTo(server, plan.via);
  try {
    const isTimed = run.scale === 'full';
    const parts = { seed, server, transport, statuses, contract, checker, isTimed };
    const round = await Round.begin(parts);
    for (let sent = 1; sent <= plan.requests; sent += 1) {
      const failure = await round.step();
      if (failure !== undefined) note(fuzzing, failure, `request ${sent} of round ${seed}`);
      if (sent % 500 === 0) run.report(`${statuses.total} requests`);
    }
  } finally {
    await transport.close();
    await stop();
  }
}

async function transportTo(server: ServerUnderTest, via: RoundPlan['via']) {
  if (via === 'app') return { transport: appTransport(server.app), stop: () => Promise.resolve() };
  const running = await startServer(server.app, { host: '127.0.0.1', port: 0 });
  const transport: Transport = socketTransport(running.port);
  return { transport, stop: () => running.stop() };
}

/** Reports a failure, unless a similar one is known. */
function note({ violations, known }: Fuzzing, failure: Failure, which: string): void {
  const { request, sender, complaints, smallest, logged } = failure;
  const { operation } = request.draft;
  const kind = `${operation.id} ${request.change} ${complaints.join()}`.replace(
    /[\da-f-]{20,}/g,
    '',
  );
  if (known.has(kind)) return;
  known.add(kind);
  const what = request.change === '' ? request.kind : `${request.kind} (${request.change})`;
  violations.push(
    [
      `${operation.id}, ${what}, from ${sender.name} of ${sender.authority}, ${which}:`,
      complaints.join('; '),
      curlOf(smallest),
      ...(logged === undefined ? [] : [`logged last: ${logged}`]),
    ].join('\n  '),
  );
}
