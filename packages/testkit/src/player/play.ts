/**
 * Plays steps on a keep and on the model side by side, and compares every answer.
 */
import { AgentkeepError, type Keep, type OperationName, operations } from '@agentkeep/core';
import { embeddedInput, type OutputOf, type PartsOf } from '@agentkeep/core/transport';
import type { ManualClock } from '@agentkeep/core/testing';
import { expected, type Outcome } from '../models/outcome.js';
import { difference, Mismatch } from './compare.js';
import type { Dice } from './dice.js';
import { Isolation } from './isolation.js';
import { type Caller, type Principal, principalOf } from '../models/principal.js';
import type { Tally } from './tally.js';
import { INSTALLATION, type World } from '../models/world.js';

/** What the model says of an answer; `made` has what only the service can choose. */
type Model<N extends OperationName, P> = (made: OutputOf<N>, principal: P) => unknown;

/** Most callers that are kept besides those of the beginning. */
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
  readonly reopen: () => Promise<void>;
  readonly #tally: Tally;
  readonly #isolation: Isolation;

  constructor(
    parts: Pick<Play, 'world' | 'clock' | 'keep' | 'dice' | 'isOnDisk' | 'reopen'> & {
      tally: Tally;
    },
  ) {
    this.world = parts.world;
    this.clock = parts.clock;
    this.keep = parts.keep;
    this.dice = parts.dice;
    this.isOnDisk = parts.isOnDisk;
    this.reopen = parts.reopen;
    this.#tally = parts.tally;
    this.#isolation = new Isolation((id) => this.world.isOfInstallation(id));
  }

  /** Takes a caller in; one of the oldest that are dead makes room. */
  join(caller: Caller): void {
    this.callers.push(caller);
    if (this.callers.length <= CALLERS_MAX) return;
    const dead = this.callers.findIndex((each) => this.principal(each) === undefined);
    this.callers.splice(Math.max(dead, 0), 1);
  }

  /** Who a caller is now; `undefined` for one whose proof is dead. */
  principal(caller: Caller): Principal | undefined {
    const found = expected(() => principalOf(this.world, caller));
    return 'value' in found ? found.value : undefined;
  }

  /** Mostly somebody who may do what is to be done, sometimes anybody. */
  caller(isFit: (principal: Principal) => boolean = () => true): Caller {
    const fit = this.callers.filter((each) => {
      const principal = this.principal(each);
      return principal !== undefined && isFit(principal);
    });
    const chosen = this.dice.isLucky(92) ? this.dice.any(fit) : undefined;
    return chosen ?? this.dice.one(this.callers);
  }

  /** Calls an operation with a proof. */
  ask<N extends OperationName>(
    name: N,
    caller: Caller,
    parts: PartsOf<N>,
    model: Model<N, Principal>,
  ): Promise<OutputOf<N> | undefined> {
    return this.#run(name, caller, parts, (made) => model(made, principalOf(this.world, caller)));
  }

  /** Calls an operation without one. */
  askOpenly<N extends OperationName>(
    name: N,
    parts: PartsOf<N>,
    model: Model<N, undefined>,
    authority = INSTALLATION,
  ): Promise<OutputOf<N> | undefined> {
    return this.#run(name, { authority }, parts, (made) => model(made, undefined));
  }

  async #run<N extends OperationName>(
    name: N,
    { proof, authority }: Partial<Caller> & Pick<Caller, 'authority'>,
    parts: PartsOf<N>,
    model: (made: OutputOf<N>) => unknown,
  ): Promise<OutputOf<N> | undefined> {
    this.world.now = this.clock.now();
    const actual = await this.#outcome(name, proof, parts);
    const made = 'value' in actual ? actual.value : NOTHING;
    const told = toldBy(() => model(made as OutputOf<N>), 'value' in actual);
    const wrong = wrongWith(actual, told);
    const what = `${name}(${JSON.stringify(parts)})`;
    if (wrong !== undefined) throw new Mismatch(`${what} as ${proofName(proof)}: ${wrong}`);
    if ('value' in actual) this.#isolation.check(what, authority, actual.value);
    this.#tally.note(name, actual);
    return 'value' in actual ? actual.value : undefined;
  }

  async #outcome<N extends OperationName>(
    name: N,
    proof: Caller['proof'] | undefined,
    parts: PartsOf<N>,
  ): Promise<Outcome<OutputOf<N>>> {
    try {
      const source = embeddedInput(parts);
      const value = await this.keep.invoke(operations[name], source, { proof });
      return { value };
    } catch (error) {
      if (error instanceof AgentkeepError) return { error: error.code };
      throw error;
    }
  }
}

/** In place of an answer that did not come: every member of it is `undefined`, however deep. */
const NOTHING: object = new Proxy(
  {},
  { get: (_target, name) => (typeof name === 'symbol' ? undefined : NOTHING) },
);

/** What the model says; it may trip over an answer that did not come, and means a good one then. */
function toldBy(model: () => unknown, hasAnswer: boolean): Outcome<unknown> {
  try {
    return expected(model);
  } catch (error) {
    if (hasAnswer) throw error;
    return { value: 'success' };
  }
}

/** What is wrong with an outcome, given what the model says of it. */
function wrongWith(actual: Outcome<unknown>, told: Outcome<unknown>): string | undefined {
  if ('value' in actual && 'value' in told) return difference(plain(actual), plain(told));
  const [is, instead] = [actual, told].map((each) => ('error' in each ? each.error : 'good'));
  return is === instead ? undefined : `is ${is} instead of ${instead}`;
}

function plain(outcome: Outcome<unknown>): unknown {
  return 'error' in outcome ? outcome : (JSON.parse(JSON.stringify(outcome)) as unknown);
}

function proofName(proof: Caller['proof'] | undefined): string {
  if (proof === undefined) return 'nobody';
  return (proof.kind === 'api_key' ? proof.key : proof.token).slice(0, 24);
}
