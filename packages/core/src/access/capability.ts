/** The capabilities of tenant credentials, in canonical order. */
import * as v from 'valibot';
import { deepFreeze } from '../contract/deep-freeze.js';
import { named } from '../contract/schema/json-schema.js';

/** All capabilities. None implies another. */
export const capabilities = deepFreeze([
  'memory_read',
  'memory_write',
  'procedure_propose',
  'procedure_evaluate',
  'experience_read',
  'experience_write',
  'experience_report',
  'tool_read',
  'tool_develop',
  'tool_report',
  'tool_admin',
  'policy_admin',
  'credential_admin',
  'act_for',
] as const);

/** A right to perform one kind of action. */
export const Capability = v.pipe(v.picklist(capabilities), named('Capability'));
export type Capability = v.InferOutput<typeof Capability>;

/** Returns each capability once, in canonical order, as it is stored and shown. */
export function canonicalCapabilities(given: readonly Capability[]): Capability[] {
  return capabilities.filter((capability) => given.includes(capability));
}
