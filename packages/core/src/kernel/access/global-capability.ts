/**
 * The capabilities of credentials of the installation, in canonical order
 * (docs/contract/installation.md#ins-11).
 */
import * as v from 'valibot';
import { deepFreeze } from '../../contract/deep-freeze.js';
import { named } from '../../contract/schema/json-schema.js';

/** All capabilities. None implies another. */
export const globalCapabilities = deepFreeze([
  'tenant_create',
  'tenant_inspect',
  'tenant_admin',
  'global_credential_admin',
] as const);

/** A right to perform one kind of action on the installation. */
export const GlobalCapability = v.pipe(v.picklist(globalCapabilities), named('GlobalCapability'));
export type GlobalCapability = v.InferOutput<typeof GlobalCapability>;

/** Returns each capability once, in canonical order, as it is stored and shown. */
export function canonicalGlobalCapabilities(
  given: readonly GlobalCapability[],
): GlobalCapability[] {
  return globalCapabilities.filter((capability) => given.includes(capability));
}
