/**
 * Plays steps on a keep and on the model side by side, and compares every answer.
 */
import { type Agent, type Keep, type OperationName, operations } from '@agentkeep/core';
import type { OutputOf, PartsOf } from '@agentkeep/core/clients';
import { embeddedInput } from '@agentkeep/core/operator';
import type { ManualClock } from '@agentkeep/core/testing';
import { expected, type Outcome, outcome, Refusal } from '../models/outcome.js';
import { difference, Mismatch } from './compare.js';
import type { Dice } from './dice.js';
import { Isolation } from './isolation.js';
import { MemoryLog } from './memory-log.js';
import { type Caller, type Principal, principalOf } from '../models/principal.js';
import type { Tally } from './tally.js';
import { INSTALLATION, type World } from '../models/world.js';

/** Says what an answer should be; `made` has the parts that only the service can choose. */
type Model<N extends OperationName, P> = (made: OutputOf<N>, principal: P) => unknown;

/** A call of an operation, with a proof or without one. */
interface Call<N extends OperationName> {
  readonly name: N;
  readonly parts: PartsOf<N>;
  readonly caller?: Caller;
  /** The same call through the embedded client. */
  readonly by?: (agent: Agent) => Promise<OutputOf<N>>;
  /** Separates kinds of calls of one operation in the tally. */
  readonly label?: string;
}

/** Callers kept at most. */
const CALLERS_MAX = 60;

/** One installation with its model. */
export class Play {
  readonly world: World;
  readonly clock: ManualClock;
  readonly callers: Caller[] = [];
  keep: Keep;
  /** Of the present step. */
  dice: Dice;
  readonly isOnDisk: boolean;
  readonly memory = new MemoryLog();
  readonly #reopen: (isCrash: boolean) => Promise<Keep>;
  readonly #tally: Tally;
  readonly #isolation: Isolation;
  readonly #agents = new Map<Caller, Agent>();

  constructor(
    parts: Pick<Play, 'world' | 'clock' | 'keep' | 'dice' | 'isOnDisk'> & {
      readonly tally: Tally;
      readonly reopen: (isCrash: boolean) => Promise<Keep>;
    },
  ) {
    this.world = parts.world;
    this.clock = parts.clock;
    this.keep = parts.keep;
    this.dice = parts.dice;
    this.isOnDisk = parts.isOnDisk;
    this.#reopen = parts.reopen;
    this.#tally = parts.tally;
    this.#isolation = new Isolation((id) => this.world.isOfInstallation(id));
  }

  /** Sets the clock back, unless something has ended since that may be removed already. */
  setBack(to: number): void {
    const now = this.clock.now();
    const { branches, proposals, memory } = this.world;
    const contentEnds = memory.ids.map((id) => memory.contentEndOf(id));
    const ends = [...branches.ends, ...proposals.ends, ...contentEnds];
    if (ends.some((end) => end !== null && to < end && end <= now)) return;
    this.clock.stepTo(to);
  }

  /** Opens the keep again; after a crash, without having closed it. */
  async reopen({ isCrash = false } = {}): Promise<void> {
    this.keep = await this.#reopen(isCrash);
    this.#agents.clear();
    this.memory.reopened();
  }

  /** Adds a caller; when there are too many, one whose proof is dead leaves. */
  join(caller: Caller): void {
    this.callers.push(caller);
    if (this.callers.length <= CALLERS_MAX) return;
    const dead = this.callers.findIndex((each) => this.principal(each) === undefined);
    this.callers.splice(Math.max(dead, 0), 1);
  }

  /** The principal of a caller now; `undefined` when its proof is dead. */
  principal(caller: Caller): Principal | undefined {
    const found = expected(() => principalOf(this.world, caller));
    return 'value' in found ? found.value : undefined;
  }

  /** Chooses a caller, mostly one that fits. */
  caller(isFit: (principal: Principal) => boolean = () => true): Caller {
    const fit = this.callers.filter((each) => {
      const principal = this.principal(each);
      return principal !== undefined && isFit(principal);
    });
    const chosen = this.dice.isLucky(92) ? this.dice.any(fit) : undefined;
    return chosen ?? this.dice.one(this.callers);
  }

  /** Calls an operation with a proof; returns the answer if it succeeded. */
  async ask<N extends OperationName>(
    name: N,
    caller: Caller,
    parts: PartsOf<N>,
    model: Model<N, Principal>,
    by?: (agent: Agent) => Promise<OutputOf<N>>,
  ): Promise<OutputOf<N> | undefined> {
    const call = { name, caller, parts, ...(by === undefined ? {} : { by }) };
    return this.settle(call, await this.send(call), model);
  }

  /** Calls an operation without a proof; returns the answer if it succeeded. */
  async askWithoutProof<N extends OperationName>(
    name: N,
    parts: PartsOf<N>,
    model: Model<N, undefined>,
    authority = INSTALLATION,
  ): Promise<OutputOf<N> | undefined> {
    const call = { name, parts };
    const actual = await this.send(call);
    return this.#compare(call, actual, (made) => model(made, undefined), authority);
  }

  /** Sends a call without comparing its answer; a credential also calls through the client. */
  send<N extends OperationName>(call: Call<N>): Promise<Outcome<OutputOf<N>>> {
    const { name, caller, parts, by } = call;
    this.world.now = this.clock.now();
    if (by !== undefined && caller?.kind === 'credential' && this.dice.isLucky(50)) {
      return outcome(this.agent(caller).then(by));
    }
    const proof = caller?.proof;
    return outcome(this.keep.invoke(operations[name], embeddedInput(parts), { proof }));
  }

  /** Compares the outcome of a call with the model; returns the answer if it succeeded. */
  settle<N extends OperationName>(
    call: Call<N> & { readonly caller: Caller },
    actual: Outcome<OutputOf<N>>,
    model: Model<N, Principal>,
  ): OutputOf<N> | undefined {
    const { caller } = call;
    const isPublic = operations[call.name].kind === 'public';
    const told = (made: OutputOf<N>) => model(made, this.#principal(caller, isPublic));
    return this.#compare(call, actual, told, caller.authority);
  }

  /** To a public operation the proof of a blocked subject is as good as none. */
  #principal(caller: Caller, isPublic: boolean): Principal {
    try {
      return principalOf(this.world, caller);
    } catch (error) {
      const isBlocked = error instanceof Refusal && error.code === 'subject_blocked';
      throw isPublic && isBlocked ? new Refusal('unauthorized') : error;
    }
  }

  /** The agent of a caller, which it keeps until the keep is opened again. */
  async agent(caller: Caller): Promise<Agent> {
    const { proof } = caller;
    const secret = proof.kind === 'api_key' ? proof.key : proof.token;
    const agent = this.#agents.get(caller) ?? (await this.keep.authenticate(secret));
    this.#agents.set(caller, agent);
    return agent;
  }

  #compare<N extends OperationName>(
    { name, caller, parts, label = name }: Call<N>,
    actual: Outcome<OutputOf<N>>,
    model: (made: OutputOf<N>) => unknown,
    authority: string,
  ): OutputOf<N> | undefined {
    const made = 'value' in actual ? actual.value : NOTHING;
    const told = outcomeOf(() => model(made as OutputOf<N>), 'value' in actual);
    const wrong = wrongWith(actual, told);
    const what = `${name}(${JSON.stringify(parts)})`;
    if (wrong !== undefined) throw new Mismatch(`${what} as ${nameOf(caller)}: ${wrong}`);
    if ('value' in actual) this.#isolation.check(what, authority, actual.value);
    this.#tally.note(name, actual, label);
    return 'value' in actual ? actual.value : undefined;
  }
}

/** Stands for a missing answer: every member is again such a value. */
const NOTHING: object = new Proxy(
  {},
  { get: (_target, name) => (typeof name === 'symbol' ? undefined : NOTHING) },
);

/** The model's outcome. A model that fails for lack of an answer expects success. */
function outcomeOf(model: () => unknown, hasAnswer: boolean): Outcome<unknown> {
  try {
    return expected(model);
  } catch (error) {
    if (hasAnswer) throw error;
    return { value: 'success' };
  }
}

/** Says how an outcome differs from the model's. */
function wrongWith(actual: Outcome<unknown>, told: Outcome<unknown>): string | undefined {
  if ('value' in actual && 'value' in told) return difference(actual.value, told.value);
  const [is, instead] = [actual, told].map((each) => ('error' in each ? each.error : 'good'));
  return is === instead ? undefined : `is ${is} instead of ${instead}`;
}

function nameOf(caller: Caller | undefined): string {
  if (caller === undefined) return 'nobody';
  const { proof } = caller;
  return (proof.kind === 'api_key' ? proof.key : proof.token).slice(0, 24);
}
