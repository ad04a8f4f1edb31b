/** The tenant part of the keys of each authority. */
import { INSTALLATION } from '../../storage/store/key.js';
import type { Authority } from './principal.js';

/** Returns the tenant part of the keys of an authority. */
export function keyOfAuthority(authority: Authority): string {
  return authority.kind === 'tenant' ? authority.tenant_id : INSTALLATION;
}

/** Returns the authority whose keys have this tenant part. */
export function authorityOf(key: string): Authority {
  return key === INSTALLATION ? { kind: 'global' } : { kind: 'tenant', tenant_id: key };
}

/** Returns the tenant id for answers and events, which is null for the installation. */
export function tenantIdOf(key: string): string | null {
  return key === INSTALLATION ? null : key;
}
