/** Error codes of the platform logins. */
import type { ErrorCode } from '../../../contract/errors/catalogue.js';

/** Shared by both logins. */
export const loginErrors: readonly ErrorCode[] = [
  'invalid_request',
  'unsupported_contract_version',
  'invalid_login',
  'account_locked',
  'passwords_not_allowed',
  'revision_conflict',
  'login_busy',
  'storage_inconsistency',
];
