/** Refuses to issue a secret that no call could use. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { acceptsKeysOnly } from './key-requirement-store.js';

const ONLY_KEYS =
  'The tenant accepts keys only, so a secret would be refused. ' +
  'Issue a credential for a public key, or change the key requirement.';

/**
 * Checks that a tenant accepts secrets.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function requireSecrets(tx: ReadTx, tenantId: string): void {
  if (!acceptsKeysOnly(tx, tenantId)) return;
  throw new AgentkeepError('forbidden', { message: ONLY_KEYS });
}
