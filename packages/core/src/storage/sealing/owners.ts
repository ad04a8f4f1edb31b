/** Names of the owners of data keys. */
import { asBuffer } from '../store/bytes.js';
import { tupleLayout } from '../store/fields.js';
import { openValue } from '../store/value.js';

/** The owner of what belongs to a tenant as a whole. */
export const TENANT_OWNER = 'tenant';

/** The readable forms, which `access/namespace.ts` writes. */
const layout =
  tupleLayout<readonly [...SharedScope, visibility: string, subject: string | null]>(1);

/** Returns the owner of the private memory of a subject. */
export function subjectOwner(subject: string | Uint8Array): string {
  const bytes = typeof subject === 'string' ? Buffer.from(subject, 'utf8') : asBuffer(subject);
  return `subject ${bytes.toString('latin1')}`;
}

/** A shared scope. Its branches have the same owner, so that destroying its key reaches them. */
export type SharedScope = readonly [project: string, mission: string | null, agent: string];

/** Returns the owner of a shared scope. */
export function scopeOwner(scope: SharedScope): string {
  return `scope ${JSON.stringify(scope)}`;
}

/**
 * Returns the owner of a namespace from its stored value.
 *
 * @throws {AgentkeepError} `key_destroyed`, `key_unavailable` or `storage_inconsistency`
 */
export function ownerInNamespace(key: Uint8Array, value: Uint8Array): string {
  const [project, mission, agent, , subject] = openValue(layout, key, value);
  return subject === null ? scopeOwner([project, mission, agent]) : subjectOwner(subject);
}
