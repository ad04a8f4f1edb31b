/**
 * Every error that Agentkeep reports: its stable code, its kind and its static message. To add an
 * error, add one line here. Transports map kinds, never codes, to their own statuses.
 */

import { deepFreeze } from '../deep-freeze.js';
import { entry, type ErrorEntry, type ErrorKind } from './error-entry.js';
import { replicaErrors } from './replica-errors.js';

export type { ErrorEntry, ErrorKind };

/** The catalogue, by code. */
export const errorCatalogue = deepFreeze({
  unauthorized: entry(
    'unauthenticated',
    'The request carries no valid proof of identity. Send one live credential as a Bearer token.',
  ),
  use_dpop_nonce: entry(
    'unauthenticated',
    'The proof of the key needs the nonce of this server. Sign it again with the nonce of the header DPoP-Nonce.',
  ),
  forbidden: entry(
    'forbidden',
    'The authority of this proof does not cover the request. Ask an administrator for the capability or grant.',
  ),
  not_found: entry('not_found', 'There is nothing at this path. See /openapi.json for the paths.'),
  method_not_allowed: entry(
    'method_not_allowed',
    'This path does not take this method. The Allow header lists the ones it takes.',
  ),
  invalid_request: entry(
    'invalid',
    'The request is malformed or breaks a documented bound. Compare it with /openapi.json.',
  ),
  request_too_large: entry(
    'too_large',
    'The request body is larger than this operation accepts. Send a smaller one.',
    { wireCode: 'invalid_request' },
  ),
  unsupported_contract_version: entry(
    'invalid',
    'This contract version is not served. Send contract_version 1.',
  ),
  weak_password: entry(
    'invalid',
    'The password breaks the rule for passwords. Choose one that meets every part of it.',
  ),
  invalid_token: entry(
    'invalid',
    'This is no valid access token of this service. Send one that has not expired.',
  ),
  logout_token_refused: entry(
    'invalid',
    'This is no valid logout token of the issuer. The audit log says why.',
  ),
  assertion_refused: entry(
    'unauthenticated',
    'The assertion does not prove this credential. The audit log of the tenant says why.',
  ),
  sign_in_refused: entry(
    'unauthenticated',
    'The sign-in is refused. Begin again; if that fails, ask an administrator, whose audit log says why.',
  ),
  invalid_login: entry(
    'unauthenticated',
    'Sign-in failed. Check the tenant, the username and the password. A few more failures lock the username.',
  ),
  console_link_used: entry(
    'unauthenticated',
    'This link was used before, and a link signs in once. Start the server again for a new one, or sign in another way.',
  ),
  console_link_expired: entry(
    'unauthenticated',
    'This link is older than ten minutes. Start the server again for a new one, or sign in another way.',
  ),
  console_link_unknown: entry(
    'unauthenticated',
    'This link does not sign anyone in: it is incomplete, or the server was restarted after it printed the link. Use the link that the server printed last, or sign in another way.',
  ),
  invitation_ended: entry(
    'gone',
    'This link has ended, or never was: it was used, replaced or revoked, or it is too old. Ask the person who sent it for a new one.',
  ),
  passwords_not_allowed: entry(
    'forbidden',
    'Passwords are turned off here. Sign in with an issuer.',
  ),
  account_locked: entry(
    'locked',
    'The name is locked after failed logins or by an administrator. Wait for its end, or ask for help.',
    { retryable: true },
  ),
  login_busy: entry(
    'busy',
    'Too many passwords wait to be checked. Nothing was decided; retry in a moment.',
    { retryable: true },
  ),
  service_busy: entry(
    'busy',
    'Too many scans and pages are under way. Nothing was done; retry after the seconds of Retry-After.',
    { retryable: true },
  ),
  server_stopping: entry(
    'busy',
    'This server stops and takes no further requests. Nothing was done; send the request to another server, or to this one later.',
    { retryable: true },
  ),
  already_exists: entry(
    'conflict',
    'The username or e-mail is taken in this authority. Choose another one.',
  ),
  api_key_limit: entry(
    'conflict',
    'The account has 64 live API keys. Delete one that is no longer needed, then make another.',
  ),
  connection_limit: entry(
    'conflict',
    'The account has 64 connected programs. End one that is no longer needed, then connect another.',
  ),
  quota_exceeded: entry(
    'conflict',
    'The storage quota of the tenant is full. Delete what is no longer needed, or ask for a larger quota.',
  ),
  last_admin: entry(
    'conflict',
    'This is the last active SuperAdmin of the installation. Make another one first.',
  ),
  account_disabled: entry(
    'conflict',
    'This account is disabled for good and takes no more changes. Make another one.',
  ),
  rate_limit_policy_limit: entry(
    'conflict',
    'The installation has as many rate limit policies as it can have. Delete or change one instead.',
  ),
  conflict: entry(
    'conflict',
    'Another change came first. Read the current state and decide again.',
    { retryable: true },
  ),
  credential_revoked: entry(
    'conflict',
    'The credential of this subject was revoked. To issue a new one, call agentFor() with renew: true.',
  ),
  capabilities_differ: entry(
    'conflict',
    'The credential of this subject has other capabilities. Ask for those, or call agentFor() with renew: true to replace it.',
  ),
  revision_conflict: entry(
    'conflict',
    'The state is not the expected one: a revision is stale, or a name is taken. Read it and decide again.',
  ),
  idempotency_conflict: entry(
    'conflict',
    'This idempotency key already names a different command. Use a new key for a new intent.',
  ),
  current_revision: entry(
    'conflict',
    'The current revision of a record cannot be redacted. Update or delete the record first, then redact the revision before.',
  ),
  record_not_found: entry(
    'not_found',
    'There is no current record with this id in the authorized scope.',
  ),
  position_expired: entry(
    'gone',
    'The changes after this position are no longer kept. Start over: read what is current, then follow from a new cursor.',
  ),
  export_gone: entry(
    'gone',
    'The export is no longer held: it ended, waited too long, or another server holds it. Begin it again without `after`.',
  ),
  branch_not_found: entry(
    'not_found',
    'There is no such branch over the scope: it has ended, or was never made. List the branches.',
  ),
  branch_limit: entry(
    'conflict',
    'There are as many branches or waiting proposals as there can be over a scope or in a tenant. Drop or review one first.',
  ),
  branch_closed: entry(
    'conflict',
    'The branch is a proposal: it takes no commands, and what was decided stays. Make another branch or proposal.',
  ),
  history_gone: entry(
    'gone',
    'History that the answer needs is no longer kept. Ask for a time from complete_from_millis on.',
  ),
  key_destroyed: entry(
    'gone',
    'The key of this data was destroyed, so no copy of it can be read. Erase what is left of it.',
  ),
  webhook_limit: entry(
    'conflict',
    'The tenant has 32 webhooks. Delete one that is no longer needed, then make another.',
  ),
  consumer_held: entry(
    'conflict',
    'Another worker holds the consumer. Claim it again after the end of its lease.',
  ),
  consumer_not_held: entry(
    'conflict',
    'This holder does not hold the consumer. Claim it, then go on from its position.',
  ),
  consumer_limit: entry(
    'conflict',
    'The subject has 32 consumers, or the tenant 256. Delete one that is no longer needed.',
  ),
  too_many_waits: entry(
    'crowded',
    'Too many calls of this caller or tenant wait for changes. End some, or ask for a page without waiting.',
    { retryable: true },
  ),
  lockout_not_found: entry('not_found', 'Nothing is kept of logins under this name.', {
    wireCode: 'not_found',
  }),
  target_not_found: entry('not_found', 'There is nothing with this id in the authority.', {
    wireCode: 'not_found',
  }),
  tenant_not_found: entry(
    'not_found',
    'There is no tenant with this id. Ask for one that was made before.',
  ),
  subject_not_found: entry(
    'not_found',
    'Nothing is stored of this subject, so it has no limits. List the subjects that have some.',
  ),
  subject_blocked: entry(
    'forbidden',
    'The subject of this proof is blocked. An administrator of credentials can unblock it with putSubject.',
  ),
  subject_erased: entry(
    'forbidden',
    'This subject was erased, so nothing may act for it. An administrator can admit it anew with putSubject.',
  ),
  issuer_not_found: entry(
    'not_found',
    'No issuer with this name is trusted here. List the issuers, or add this one.',
  ),
  tenant_exists: entry(
    'conflict',
    'This tenant was bootstrapped before and is never reset. Use its existing administrator.',
  ),
  master_exists: entry(
    'conflict',
    'The master of this installation was made before. Recover it with recover-master instead.',
  ),
  master_absent: entry(
    'conflict',
    'This installation has no master yet. Make it with bootstrap-master first.',
  ),
  command_erased: entry(
    'conflict',
    'What this command wrote was erased. To write it again, send it with a new idempotency key.',
  ),
  erasure_in_progress: entry(
    'conflict',
    'It is being erased. Wait until the erasure is done, then try again.',
    { retryable: true },
  ),
  erasure_not_found: entry(
    'not_found',
    'The tenant has no erasure with this id. List its erasures to find it.',
  ),
  snapshot_in_progress: entry(
    'conflict',
    'Another snapshot is being made. Wait until it is done, then ask again.',
    { retryable: true },
  ),
  no_data_directory: entry(
    'internal',
    'This service runs over a store without a directory, so it has no snapshots. Open it with a data directory, or back up its database.',
    { wireCode: 'internal_error' },
  ),
  snapshot_damaged: entry(
    'internal',
    'This folder is not a complete snapshot, so nothing was restored. Choose another snapshot.',
    { wireCode: 'internal_error' },
  ),
  ...replicaErrors,
  directory_not_empty: entry(
    'conflict',
    'There is something in the target directory. Choose an empty one, or replace its store by force.',
  ),
  directories_overlap: entry(
    'conflict',
    'One of the two directories is or contains the other one. Name two that lie apart.',
  ),
  stores_differ: entry(
    'conflict',
    'The two stores do not hold the same content. Copy again with both of them stopped.',
  ),
  rate_limit_exceeded: entry(
    'rate_limited',
    'Too many requests from this client. Wait for the seconds that Retry-After names.',
    { retryable: true },
  ),
  storage_inconsistency: entry(
    'internal',
    'Stored data does not verify, so no answer is given. Run verify-store and restore a snapshot if it fails.',
  ),
  store_in_use: entry(
    'internal',
    'Another process or keep has this data directory open. Stop it, or open another directory.',
    { wireCode: 'internal_error' },
  ),
  store_incompatible: entry(
    'internal',
    'This data directory is not one that this version can open. Check the path, or restore a snapshot.',
    { wireCode: 'internal_error' },
  ),
  store_full: entry(
    'unavailable',
    'Free disk space is below the reserve, so writes are refused. Free some space and retry.',
    { retryable: true },
  ),
  store_unavailable: entry(
    'unavailable',
    'The store did not answer or could not commit. Retry, a change with its idempotency key; if it persists, check the store and its disk.',
    { retryable: true },
  ),
  key_unavailable: entry(
    'busy',
    'The key of this data is not available, so nothing was decided. Bring the key back, then retry after ten seconds.',
    { retryable: true },
  ),
  keys_unusable: entry(
    'internal',
    'The keys do not fit this store. Start with the directory of keys and the root key of this store.',
    { wireCode: 'internal_error' },
  ),
  issuer_unavailable: entry(
    'busy',
    'The issuer, or its keys, could not be reached. Check its address, then retry after ten seconds.',
    { retryable: true },
  ),
  store_closed: entry(
    'internal',
    'The store is closed or closing. Open it again before the next call.',
    { wireCode: 'internal_error' },
  ),
  server_unreachable: entry(
    'unavailable',
    'The server did not answer. Check its address, that it runs and that nothing on the way stops the request; then retry.',
    { retryable: true, isOfClient: true },
  ),
  unexpected_answer: entry(
    'unavailable',
    'The answer is none of the contract. Check that the address is that of an Agentkeep server of this version.',
    { isOfClient: true },
  ),
  internal_error: entry(
    'internal',
    'The request failed inside the service and changed nothing that was not acknowledged. Retry later.',
    { retryable: true },
  ),
} as const satisfies Record<string, ErrorEntry>);

/** A code of the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue;
