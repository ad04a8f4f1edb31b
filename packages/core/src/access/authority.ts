/**
 * Authorities and the keys that everything of theirs lies under.
 *
 * @module
 */
import { INSTALLATION } from '../storage/store/keyspace.js';
import type { Authority } from './principal.js';

/** The tenant part of the keys of an authority. */
export function keyOfAuthority(authority: Authority): string {
  return authority.kind === 'tenant' ? authority.tenant_id : INSTALLATION;
}

/** The authority whose keys have this tenant part. */
export function authorityOf(key: string): Authority {
  return key === INSTALLATION ? { kind: 'global' } : { kind: 'tenant', tenant_id: key };
}

/** The tenant that keys belong to, as answers and events tell it; null is the installation. */
export function tenantIdOf(key: string): string | null {
  return key === INSTALLATION ? null : key;
}
