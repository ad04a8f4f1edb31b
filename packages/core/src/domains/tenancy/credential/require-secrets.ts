/** Decides whether a tenant lets credentials be proved by a secret alone. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineFamily } from '../../../storage/store/family.js';
import {
  boolean,
  fieldsLayout,
  number,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { StoredCredential } from './credential-store.js';

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

/**
 * Requires a credential that is proved by a secret or a key.
 *
 * @throws {AgentkeepError} `invalid_request` for one that an issuer proves, or that an account gave
 * to a program.
 */
export function requireSecretOrKey({ federation, program }: StoredCredential): void {
  if (federation === null && program === null) return;
  const expected =
    federation === null
      ? 'a credential with a secret or a key; this one was given to a program, so revoke it'
      : 'a credential with a secret or a key; an issuer proves this one, so revoke it';
  throw new AgentkeepError('invalid_request', { members: [{ path: 'id', expected }] });
}

const requirementLayout = fieldsLayout(1, {
  tenantId: text,
  revision: number,
  /** Whether calls that send a secret of a credential are refused. */
  requiresKeys: boolean,
  updatedAtMillis: number,
  /** Id of the credential that made the revision. */
  updatedBy: text,
});

/** A stored key requirement. */
export type StoredKeyRequirement = ValueOf<typeof requirementLayout>;

/** How the credentials of a tenant prove themselves. */
export const keyRequirements = defineFamily({
  name: 'keyRequirements',
  number: 49,
  key: [],
  layout: requirementLayout,
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'authority' },
  erased: 'kept',
  counts: null,
  remember: true,
  committedFor: ({ tenantId }) => tenantId,
  remembersAbsence: true,
});

/** Returns the requirement of a tenant; `undefined` if none was ever stated. */
export function findKeyRequirement(tx: ReadTx, tenantId: string): StoredKeyRequirement | undefined {
  return keyRequirements.get(tx, tenantId);
}

/** Returns whether a tenant accepts keys only. */
export function acceptsKeysOnly(tx: ReadTx, tenantId: string): boolean {
  return findKeyRequirement(tx, tenantId)?.requiresKeys === true;
}

/** Stores the requirement of a tenant. */
export function putKeyRequirementState(tx: WriteTx, requirement: StoredKeyRequirement): void {
  keyRequirements.put(tx, requirement, requirement.tenantId);
}
