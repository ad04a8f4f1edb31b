/** The domains of a keep in order, and what they state, put together once. */
import { deepFreeze } from './contract/deep-freeze.js';
import * as listed from './domain-list.js';
import {
  type Domain,
  familiesOf,
  type FamilyNamesIn,
  operationsOf,
  type OperationsIn,
} from './upkeep/domain/domain.js';

/** A domain of the list. */
type Listed = (typeof listed)[keyof typeof listed];

/** The domains of a keep, in the order in which they open and in which erasures take them. */
export const domains: readonly Domain[] = [
  listed.tenancy,
  listed.memory,
  listed.learning,
  listed.people,
  listed.webhooks,
  listed.reach,
  listed.erasure,
  listed.upkeep,
];

/** Every family of a store. */
export const families = familiesOf(domains);

/** Name of a family. */
export type FamilyName = FamilyNamesIn<Listed['modules'][number]>;

/** What has all members of each type of a union. */
type All<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The operations of all domains, by their names. */
type Operations = All<OperationsIn<Listed['modules'][number]>>;

/** Every operation of Agentkeep by its name. */
export const operations: Operations = deepFreeze(operationsOf(domains) as unknown as Operations);

/** Name of an operation. */
export type OperationName = keyof Operations;
