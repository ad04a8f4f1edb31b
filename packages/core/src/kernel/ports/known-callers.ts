/**
 * What kernel and upkeep, and domains beside them, ask of the domains that know callers and
 * namespaces.
 */
import type { ReadTx } from '../../storage/store/store.js';
import type { KnownNamespaces } from '../access/namespace.js';
import { Port } from './port.js';

/** Whether there is a tenant. */
export const hasTenant = new Port<(tx: ReadTx, tenantId: string) => boolean>('hasTenant');

/** Returns the subject of the service that chooses for whom a credential acts, or null. */
export const serviceOf = new Port<
  (tx: ReadTx, tenantId: string, credentialId: string) => string | null
>('serviceOf');

/** Returns the id of the stored API key with this text, live or not; used by the audit log only. */
export const apiKeyIdOf = new Port<(tx: ReadTx, text: string) => string | undefined>('apiKeyIdOf');

/** Null over a store that another process may change. */
export const knownNamespaces = new Port<KnownNamespaces | null>('knownNamespaces');
