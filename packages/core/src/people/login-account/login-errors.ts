/**
 * What the logins of the platform can answer with.
 *
 * @module
 */
import type { ErrorCode } from '../../contract/errors/catalogue.js';

/** The same for both. */
export const loginErrors: readonly ErrorCode[] = [
  'invalid_request',
  'unsupported_contract_version',
  'invalid_login',
  'account_locked',
  'revision_conflict',
  'login_busy',
  'storage_inconsistency',
];
