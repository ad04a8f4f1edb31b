/** Creates the first state of a credential, its first event and its secret. */
import { canonicalCapabilities } from '../../../kernel/access/capability.js';
import { formatSecret, SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { insertCredential, showCredential, type StoredCredential } from './credential-store.js';
import type {
  CredentialAction,
  CredentialEvent,
  CredentialSpec,
  CredentialSpecRequest,
  IssuedCredential,
} from './schema.js';

/** A credential to be stored. */
export interface NewCredential {
  readonly credential: StoredCredential;
  readonly event: CredentialEvent;
  readonly secret: string;
}

/** Returns the first state of a credential with its first event. */
export function newCredentialState(
  made: Pick<StoredCredential, 'id' | 'tenantId' | 'spec' | 'verifier'> &
    Partial<Pick<StoredCredential, 'federation' | 'program'>>,
  { action, actorId, nowMs }: { action: CredentialAction; actorId: string; nowMs: number },
): Pick<NewCredential, 'credential' | 'event'> {
  return {
    credential: {
      ...{ federation: null, program: null },
      ...made,
      ...{ revision: 1, revokedAtMillis: null, previous: null },
    },
    event: { revision: 1, action, actor_id: actorId, at_millis: nowMs },
  };
}

/** Prepares a credential outside the transaction that stores it. The default actor is itself. */
export function newCredential(
  runtime: Runtime,
  made: {
    tenantId: string;
    spec: CredentialSpec;
    action: CredentialAction;
    actorId?: string;
    nowMs: number;
  },
): NewCredential {
  const id = runtime.newId();
  const bytes = runtime.entropy.bytes(SECRET_BYTES);
  const secret = { kind: 'ak1', id, bytes } as const;
  const { tenantId, spec, action, actorId = id, nowMs } = made;
  const state = { id, tenantId, spec, verifier: verifierOf(secret) };
  return {
    ...newCredentialState(state, { action, actorId, nowMs }),
    secret: formatSecret(secret),
  };
}

/** Stores a new credential. Returns the answer that delivers its secret. */
export function storeNewCredential(tx: WriteTx, made: NewCredential): IssuedCredential {
  insertCredential(tx, made.credential, made.event);
  return {
    contract_version: CONTRACT_VERSION,
    credential: showCredential(tx, made.credential),
    secret: made.secret,
  };
}

/**
 * Returns a requested spec as it is stored.
 *
 * @throws {AgentkeepError} `invalid_request` for an expiry that is not in the future.
 */
export function checkedSpec(requested: CredentialSpecRequest, nowMs: number): CredentialSpec {
  const spec = storedSpec(requested);
  if (spec.expires_at_millis === null || spec.expires_at_millis > nowMs) return spec;
  const member = { path: 'spec.expires_at_millis', expected: 'a time in the future' };
  throw new AgentkeepError('invalid_request', { members: [member] });
}

/** Returns a requested spec as it is stored: canonical capabilities, and no empty members. */
function storedSpec(spec: CredentialSpecRequest): CredentialSpec {
  const { scope_policy, act_for, ...rest } = spec;
  return {
    ...rest,
    capabilities: canonicalCapabilities(spec.capabilities),
    ...(scope_policy === null ? {} : { scope_policy }),
    ...(act_for === null ? {} : { act_for }),
  };
}
