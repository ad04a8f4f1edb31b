/** One round: a new server with its callers, and a sequence of requests. */
import type { Caller } from './caller.js';
import { type Ask, assemble, enterAgain, RefusedError } from './cast.js';
import type { Checker } from './checker.js';
import { Chooser } from './chooser.js';
import type { Contract } from './contract-operations.js';
import type { FuzzRequest, WireRequest } from './draft.js';
import type { Issued } from './issued.js';
import { learn } from './learning.js';
import { nextRequest } from './next-request.js';
import type { ServerUnderTest } from './server-under-test.js';
import { shrink } from './shrink.js';
import type { Statuses } from './statuses.js';
import { type Answer, appTransport, type Transport } from './transport.js';
import { World } from './world.js';
import { withoutWait } from './waits.js';

/** Most time that passes between requests, in milliseconds. */
const STEP_MS_MAX = 20;
/** Share of requests after which 15 minutes pass at once, which ends sessions and locks. */
const LEAP_SHARE = 1 / 1_500;
const LEAP_MS = 16 * 60_000;

/** Most milliseconds that a refusal may take. Slow refusals are measured several times. */
const REFUSAL_MS_MAX = 100;
const SLOW_TURNS = 5;
/** Why an account may not sign in for now: others tried its password, or turned passwords off. */
const REFUSED_FOR_NOW = new Set([429, 403]);

/** A request whose answer is wrong. */
export interface Failure {
  readonly request: FuzzRequest;
  /** The holder of the proof that was sent. */
  readonly sender: Caller;
  readonly complaints: readonly string[];
  /** The smallest form that still fails. */
  readonly smallest: WireRequest;
  /** The server's log entry for it. */
  readonly logged: string | undefined;
}

/** A server with all state needed to generate requests. */
export class Round {
  /** Everything known so far. */
  readonly world: World;
  readonly #server: ServerUnderTest;
  readonly #transport: Transport;
  readonly #statuses: Statuses;
  readonly #chooser: Chooser;
  readonly #checker: Checker;
  readonly #isTimed: boolean;

  private constructor(parts: RoundParts, world: World) {
    this.#server = parts.server;
    this.#transport = parts.transport;
    this.#statuses = parts.statuses;
    this.#chooser = new Chooser(parts.seed);
    this.world = world;
    this.#checker = parts.checker;
    this.#isTimed = parts.isTimed;
  }

  /** Starts a server and creates the callers. */
  static async begin(parts: RoundParts): Promise<Round> {
    const world = new World(parts.contract);
    await assemble(world, parts.server.keep, askOf(parts.server));
    return new Round(parts, world);
  }

  /** Sends the next request. Returns a failure if its answer is wrong. */
  async step(): Promise<Failure | undefined> {
    const { clock } = this.#server;
    clock.advance(this.#chooser.chance(LEAP_SHARE) ? LEAP_MS : this.#chooser.below(STEP_MS_MAX));
    const request = nextRequest(this.world, this.#chooser, {
      nowMs: clock.now(),
      isSocket: this.#transport.isSocket,
    });
    return this.put(request);
  }

  /** Sends a request and learns from its answer. Returns a failure if the answer is wrong. */
  async put(request: FuzzRequest): Promise<Failure | undefined> {
    const answer = await this.#send(request.wire);
    if (answer === undefined) return undefined;
    const { draft, kind } = request;
    this.#statuses.count(draft.operation.id, answer.status);
    const { complaints, body } = this.#checker.judge(this.world, request, answer);
    const isDone = answer.status >= 200 && answer.status < 300;
    if (isDone) learn(this.world, request, body, answer.text);
    else if (answer.status === 401 && kind === 'valid') await this.#removeCaller(draft.caller);
    const isTimed = this.#isTimed && !isDone;
    if (isTimed && (await this.#isSlow(request.wire, answer))) complaints.push('a slow refusal');
    return complaints.length === 0 ? undefined : this.#failure(request, complaints);
  }

  /** Sends a request. From then on, its marked texts belong to the sender. */
  async #send(wire: WireRequest): Promise<Answer | undefined> {
    const { body } = wire;
    const { authority } = this.world.senderOf(wire);
    if (body !== undefined) this.world.marks.noteSent(body, authority);
    return await this.#transport.send(withoutWait(wire));
  }

  async #failure(request: FuzzRequest, complaints: readonly string[]): Promise<Failure> {
    const logged = this.#server.failures.at(-1);
    const fails = async (wire: WireRequest): Promise<boolean> => {
      const answer = await this.#send(wire);
      if (answer === undefined) return false;
      const again = this.#checker.judge(this.world, { ...request, wire }, answer);
      return again.complaints[0] === complaints[0];
    };
    const sender = this.world.senderOf(request.wire);
    return { request, sender, complaints, smallest: await shrink(request.wire, fails), logged };
  }

  /** Returns whether a refusal takes too long each time. */
  async #isSlow(wire: WireRequest, { durationMs, status }: Answer): Promise<boolean> {
    let leastMs = status === 0 ? 0 : durationMs;
    for (let turn = 0; turn < SLOW_TURNS && leastMs > REFUSAL_MS_MAX; turn += 1) {
      const again = await this.#transport.send(withoutWait(wire));
      leastMs = Math.min(leastMs, again?.durationMs ?? 0);
    }
    return leastMs > REFUSAL_MS_MAX;
  }

  /** Removes a caller whose proof is no longer valid. Permanent callers log in again. */
  async #removeCaller(caller: Caller): Promise<void> {
    const stays = this.world.removeCaller(caller);
    if (!stays || caller.login === undefined) return;
    try {
      this.world.recast(await enterAgain(askOf(this.#server), caller));
    } catch (error) {
      if (!(error instanceof RefusedError && REFUSED_FOR_NOW.has(error.status))) throw error;
    }
  }
}

/** The parts of a round. */
export interface RoundParts {
  readonly seed: number;
  readonly contract: Contract;
  readonly checker: Checker;
  readonly server: ServerUnderTest;
  readonly transport: Transport;
  readonly statuses: Statuses;
  /** Whether slow refusals are failures. Depends on the load of the machine. */
  readonly isTimed: boolean;
}

/** Returns the function that sends requests of the setup. */
function askOf({ unlimited }: ServerUnderTest): Ask {
  const transport = appTransport(unlimited);
  return async (method, path, proof, document) => {
    const body = document === undefined ? undefined : Buffer.from(JSON.stringify(document));
    const headers = [...proof, ['Content-Type', 'application/json'] as const];
    const answer = await transport.send({ method, target: path, headers, body });
    const { status = 0, text = '' } = answer ?? {};
    if (status < 200 || status >= 300) throw new RefusedError(`${method} ${path}: ${text}`, status);
    return JSON.parse(text) as Issued;
  };
}
