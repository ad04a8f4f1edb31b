/**
 * The capabilities of credentials of the installation, in the order in which answers list them
 * (contract, administration 2.1).
 */
import * as v from 'valibot';
import { deepFreeze } from '../contract/deep-freeze.js';
import { named } from '../contract/schema/json-schema.js';

/** All of them; none implies another. */
export const globalCapabilities = deepFreeze([
  'tenant_create',
  'tenant_inspect',
  'tenant_admin',
  'global_credential_admin',
] as const);

/** A right to perform one kind of action on the installation. */
export const GlobalCapability = v.pipe(v.picklist(globalCapabilities), named('GlobalCapability'));
export type GlobalCapability = v.InferOutput<typeof GlobalCapability>;

/** A set of capabilities as it is stored and shown: each once, in canonical order. */
export function canonicalGlobalCapabilities(
  given: readonly GlobalCapability[],
): GlobalCapability[] {
  return globalCapabilities.filter((capability) => given.includes(capability));
}
