/** The port of the namespaces that are known to be stored. */
import type { KnownNamespaces } from '../access/namespace.js';
import { Port } from './port.js';

/** Null over a store that another process may change. */
export const knownNamespaces = new Port<KnownNamespaces | null>('knownNamespaces');
