/**
 * One round: a fresh server with its cast, and requests one after the other.
 * @module
 */
import type { Caller } from './caller.js';
import { type Ask, assemble, enterAgain } from './cast.js';
import { Checker } from './checker.js';
import { Chooser } from './chooser.js';
import { readContract } from './contract-operations.js';
import type { FuzzRequest } from './draft.js';
import { type Issued, learn } from './learning.js';
import { nextRequest } from './next-request.js';
import type { ServerUnderTest } from './server-under-test.js';
import type { Statuses } from './statuses.js';
import { type Answer, appTransport, type Transport } from './transport.js';
import { World } from './world.js';

/** Time that passes from request to request, at most, in milliseconds. */
const STEP_MS_MAX = 20;
/** How often a quarter of an hour passes at once, which ends sessions and locks. */
const LEAP_SHARE = 1 / 1_500;
const LEAP_MS = 16 * 60_000;

/** A request whose answer breaks a promise. */
export interface Failure {
  readonly request: FuzzRequest;
  readonly complaints: readonly string[];
  readonly answer: Answer;
  /** What the server logged of it. */
  readonly logged: string | undefined;
}

/** A server with everything that requests to it are made from. */
export class Round {
  readonly #server: ServerUnderTest;
  readonly #transport: Transport;
  readonly #statuses: Statuses;
  readonly #chooser: Chooser;
  readonly #world: World;
  readonly #checker: Checker;

  private constructor(parts: RoundParts, world: World, checker: Checker) {
    this.#server = parts.server;
    this.#transport = parts.transport;
    this.#statuses = parts.statuses;
    this.#chooser = new Chooser(parts.seed);
    this.#world = world;
    this.#checker = checker;
  }

  /** Reads the contract that the server publishes, and assembles the cast. */
  static async begin(parts: RoundParts): Promise<Round> {
    const { app, keep } = parts.server;
    const text = await (await app.request('/openapi.json')).text();
    const world = new World(readContract(text));
    await assemble(world, keep, askOf(parts.server));
    return new Round(parts, world, new Checker(text));
  }

  /** Sends one request; gives what is wrong with its answer, if anything. */
  async step(): Promise<Failure | undefined> {
    const { clock } = this.#server;
    clock.advance(this.#chooser.chance(LEAP_SHARE) ? LEAP_MS : this.#chooser.below(STEP_MS_MAX));
    const request = nextRequest(this.#world, this.#chooser, {
      nowMs: clock.now(),
      isSocket: this.#transport.isSocket,
    });
    const answer = await this.#transport.send(request.wire);
    if (answer === undefined) return undefined;
    this.#statuses.count(request.draft.operation.id, answer.status);
    const { complaints, body } = this.#checker.judge(this.#world, request, answer);
    if (answer.status >= 200 && answer.status < 300) learn(this.#world, request, body, answer.text);
    else if (answer.status === 401 && request.kind === 'valid') await this.#bury(request.draft.caller);
    if (complaints.length === 0) return undefined;
    return { request, complaints, answer, logged: this.#server.failures.at(-1) };
  }

  /** A caller whose proof no longer holds goes; one of the cast logs in again. */
  async #bury(caller: Caller): Promise<void> {
    const stays = this.#world.bury(caller);
    if (!stays || caller.login === undefined) return;
    this.#world.recast(await enterAgain(askOf(this.#server), caller));
  }
}

/** What a round is made of. */
export interface RoundParts {
  readonly seed: number;
  readonly server: ServerUnderTest;
  readonly transport: Transport;
  readonly statuses: Statuses;
}

/** Requests of the cast itself. */
function askOf({ app }: ServerUnderTest): Ask {
  const transport = appTransport(app);
  return async (method, path, proof, document) => {
    const body = document === undefined ? undefined : Buffer.from(JSON.stringify(document));
    const headers = [...proof, ['Content-Type', 'application/json'] as const];
    const answer = await transport.send({ method, target: path, headers, body });
    if (answer === undefined || answer.status >= 300) {
      throw new Error(`The cast was refused: ${method} ${path}: ${answer?.text ?? 'no answer'}`);
    }
    return JSON.parse(answer.text) as Issued;
  };
}
