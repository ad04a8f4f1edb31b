/**
 * The interface of an attack: it sends what it has to send, and holds what it holds until the
 * well-behaved tenant has worked beside it.
 */
import type { AbusedSite } from './abused-site.js';
import type { Amounts } from './amounts.js';

/** What an attack is given. */
export interface Stage {
  readonly site: AbusedSite;
  readonly amounts: Amounts;
  /** The loopback address of the attacker. */
  readonly from: string;
  /** Resolves once the tenant has worked enough beside the attack. */
  readonly enough: Promise<void>;
}

/** The result of an attack. */
export interface AttackResult {
  /** Number of requests or connections. */
  readonly attempts: number;
  /** One sentence for each bound that did not hold. */
  readonly violations: readonly string[];
  /** What it left behind or got, by names for the table of proofs. */
  readonly figures?: Readonly<Record<string, number>>;
}

/** An attack, bounded in what it sends. */
export interface Attack {
  readonly name: string;
  run(stage: Stage): Promise<AttackResult>;
}
