/** The domains of a keep in order, and what they state, put together once. */
import * as listed from './domain-list.js';
import { type Domain, familiesOf } from './upkeep/domain/domain.js';

/** A domain of the list. */
type Listed = (typeof listed)[keyof typeof listed];

/** The domains of a keep. Documents list their operations in this order. */
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
export type FamilyName = Listed['families'][number]['name'];

/** What has all members of each type of a union. */
type All<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The operations of all domains, by their names. */
export type Operations = All<Listed['operations']>;
