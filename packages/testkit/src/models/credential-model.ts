/**
 * Credentials in plain objects, from the contract alone (docs/contract/credentials.md).
 */
import {
  capabilities as CANONICAL,
  type Capability,
  type CompanyScopePolicy,
  type Credential,
  type CredentialEvent,
  type CredentialSpecInput,
  type Scope,
  type ScopeInput,
} from '@agentkeep/core';
import { newest } from './histories.js';
import { Refusal } from './outcome.js';
import { actingFor, mayActFor, permits, type ShownSubject } from './subject-model.js';
import { UNSTATED } from './unstated.js';

/** A credential with the number of its current secret. */
export interface ModelCredential {
  readonly shown: Credential;
  readonly secretNumber: number;
}

/** A holder of one of the secrets that a credential has had. */
export interface Holder {
  readonly credentialId: string;
  readonly secretNumber: number;
  /** The subject that it acts for, with a token that was got with the secret. */
  readonly actingFor?: string | undefined;
}

/** The authority that `scope-authority` sets. */
export interface NewAuthority {
  readonly grants: ScopeInput[];
  readonly scope_policy?: CompanyScopePolicy;
}

/** A scope with `mission_id` written out. */
export function fullScope(scope: ScopeInput): Scope {
  return { ...scope, mission_id: scope.mission_id ?? null };
}

/** All credentials of an installation. */
export class CredentialModel {
  readonly #credentials = new Map<string, ModelCredential>();
  readonly #subjects = new Map<string, Map<string, ShownSubject>>();

  /** Adds a credential as its creation showed it. */
  add(shown: Credential): void {
    this.#credentials.set(shown.id, { shown, secretNumber: 0 });
  }

  /** The number of credentials, revoked ones included. */
  get count(): number {
    return this.#credentials.size;
  }

  /** A credential by id. */
  get(id: string): ModelCredential {
    const found = this.#credentials.get(id);
    if (found === undefined) throw new Error(`The model has no credential ${id}.`);
    return found;
  }

  /** The credential of a live secret, or a refusal. */
  authenticate(
    { credentialId, secretNumber, actingFor: subject }: Holder,
    now: number,
  ): Credential {
    const { shown, secretNumber: current } = this.get(credentialId);
    const end = shown.previous_secret?.ends_at_millis ?? 0;
    const isKnown = secretNumber === current || (secretNumber === current - 1 && now < end);
    if (!isKnown || shown.revoked_at_millis !== null || isExpired(shown, now)) {
      throw new Refusal('unauthorized');
    }
    const isBlocked = this.limitsOf(shown.tenant_id, shown.spec.subject_id)?.is_blocked === true;
    if (isBlocked) throw new Refusal(subject === undefined ? 'subject_blocked' : 'unauthorized');
    if (subject === undefined) return shown;
    const limits = this.limitsOf(shown.tenant_id, subject);
    if (!mayActFor(shown, subject, limits)) throw new Refusal('unauthorized');
    return actingFor(shown, subject, limits);
  }

  /** A credential as the holder acts with it, dead or alive. */
  heldBy({ credentialId, actingFor: subject }: Holder): Credential {
    const { shown } = this.get(credentialId);
    const { spec } = shown;
    return { ...shown, spec: { ...spec, subject_id: subject ?? spec.subject_id } };
  }

  /** What is stored of a subject. */
  limitsOf(tenantId: string, subject: string): ShownSubject | undefined {
    return this.#subjects.get(tenantId)?.get(subject);
  }

  /** States the limits of a subject. */
  limit(tenantId: string, limits: ShownSubject): void {
    const subjects = this.#subjects.get(tenantId) ?? new Map<string, ShownSubject>();
    this.#subjects.set(tenantId, subjects.set(limits.subject_id, limits));
  }

  /** The subjects of a tenant of which something is stored, by id. */
  limited(tenantId: string): ShownSubject[] {
    const all = [...(this.#subjects.get(tenantId)?.values() ?? [])];
    return all.sort((one, other) => (one.subject_id < other.subject_id ? -1 : 1));
  }

  /** The credential of a holder with this capability in this scope, or a refusal. */
  authorize(holder: Holder, capability: Capability, scope: Scope, now: number): Credential {
    const shown = this.authenticate(holder, now);
    const { capabilities, grants, scope_policy } = shown.spec;
    const isGranted = grants.some((grant) => inOrder(grant) === inOrder(scope));
    const isPermitted = scope_policy !== undefined && permits(scope_policy, scope);
    if (!capabilities.includes(capability) || !(isGranted || isPermitted)) {
      throw new Refusal('forbidden');
    }
    return shown;
  }

  /** All credentials of a tenant, by id. */
  list(tenantId: string): Credential[] {
    return [...this.#credentials.values()]
      .map(({ shown }) => shown)
      .filter(({ tenant_id }) => tenant_id === tenantId)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** A credential of the administrator's tenant. */
  inspect(admin: Credential, id: string): Credential {
    const { shown } = this.get(id);
    if (shown.tenant_id !== admin.tenant_id) throw new Refusal('forbidden');
    return shown;
  }

  /** Issues a credential with the id that the server made. */
  issue(admin: Credential, id: string, spec: CredentialSpecInput, now: number): Credential {
    const { expires_at_millis = null, scope_policy, act_for, grants, ...rest } = spec;
    if (expires_at_millis !== null && expires_at_millis <= now) {
      throw new Refusal('invalid_request');
    }
    requirePolicyFits(spec, scope_policy);
    if (act_for && !spec.capabilities.includes('act_for')) {
      throw new Refusal('invalid_request');
    }
    const shown: Credential = {
      id,
      tenant_id: admin.tenant_id,
      spec: {
        ...rest,
        capabilities: CANONICAL.filter((each) => spec.capabilities.includes(each)),
        grants: grants.map(fullScope),
        expires_at_millis,
        ...(scope_policy ? { scope_policy } : {}),
        ...(act_for ? { act_for } : {}),
      },
      revision: 1,
      revoked_at_millis: null,
      history: [{ revision: 1, action: 'issued', actor_id: admin.id, at_millis: now }],
    };
    this.add(shown);
    return shown;
  }

  /** Replaces the secret. The one before stays good for the overlap. */
  rotate(
    admin: Credential,
    id: string,
    { expectedRevision, overlapSeconds }: { expectedRevision: number; overlapSeconds: number },
    now: number,
  ): Credential {
    const { shown, secretNumber } = this.#endable(admin, id, expectedRevision);
    if (shown.key_thumbprint !== undefined || shown.federation !== undefined) {
      throw new Refusal('invalid_request');
    }
    return this.#replace(admin, { shown, secretNumber }, overlapSeconds, now);
  }

  /** Issues a credential for a key, which no holder of the model has. */
  issueForKey(
    admin: Credential,
    { id, thumbprint }: { id: string; thumbprint: string },
    spec: CredentialSpecInput,
    now: number,
  ): Credential {
    const shown = { ...this.issue(admin, id, spec, now), key_thumbprint: thumbprint };
    this.add(shown);
    return shown;
  }

  /** Issues a credential that an issuer proves. */
  issueFederated(
    admin: Credential,
    { id, federation }: Pick<Credential, 'id' | 'federation'>,
    spec: CredentialSpecInput,
    now: number,
  ): Credential {
    const shown = { ...this.issue(admin, id, spec, now), ...(federation && { federation }) };
    this.add(shown);
    return shown;
  }

  /** Replaces the key or the secret by a key, which no holder of the model has. */
  replaceKey(
    admin: Credential,
    id: string,
    change: { expectedRevision: number; overlapSeconds: number; thumbprint: string },
    now: number,
  ): Credential {
    const { shown, secretNumber } = this.#endable(admin, id, change.expectedRevision);
    if (shown.federation !== undefined) throw new Refusal('invalid_request');
    const keyed = { ...shown, key_thumbprint: change.thumbprint };
    return this.#replace(admin, { shown: keyed, secretNumber }, change.overlapSeconds, now);
  }

  #replace(
    admin: Credential,
    { shown, secretNumber }: ModelCredential,
    overlapSeconds: number,
    now: number,
  ): Credential {
    const ends_at_millis = now + overlapSeconds * 1_000;
    const last_used_at_millis = UNSTATED as unknown as number;
    const found: ModelCredential = {
      secretNumber: secretNumber + 1,
      shown:
        overlapSeconds === 0
          ? withoutPrevious(shown)
          : { ...shown, previous_secret: { ends_at_millis, last_used_at_millis } },
    };
    return this.#change(admin, found, {}, 'rotated', now);
  }

  /** Revokes it. */
  revoke(
    admin: Credential,
    id: string,
    expectedRevision: number,
    { now }: { readonly now: number },
  ): Credential {
    const { shown, secretNumber } = this.#endable(admin, id, expectedRevision);
    const found = { shown: withoutPrevious(shown), secretNumber };
    return this.#change(admin, found, { shown: { revoked_at_millis: now } }, 'revoked', now);
  }

  /** Replaces its scope authority. */
  rescope(
    admin: Credential,
    id: string,
    { expectedRevision, authority }: { expectedRevision: number; authority: NewAuthority },
    now: number,
  ): Credential {
    if (expectedRevision < 1) throw new Refusal('invalid_request');
    const found = this.get(id);
    const { shown } = found;
    if (shown.tenant_id !== admin.tenant_id || shown.revoked_at_millis !== null) {
      throw new Refusal('forbidden');
    }
    if (shown.revision !== expectedRevision) throw new Refusal('revision_conflict');
    if (isExpired(shown, now)) throw new Refusal('invalid_request');
    requirePolicyFits(shown.spec, authority.scope_policy);
    const { grants, scope_policy: policy, ...kept } = shown.spec;
    const previous = { grants, ...(policy === undefined ? {} : { scope_policy: policy }) };
    const current = { ...authority, grants: authority.grants.map(fullScope) };
    const spec = { ...kept, ...current };
    const told = { scope_authority_change: { previous, current } };
    return this.#change(admin, found, { shown: { spec } }, 'scope_authority_changed', now, told);
  }

  #endable(admin: Credential, id: string, expectedRevision: number): ModelCredential {
    const found = this.get(id);
    if (found.shown.tenant_id !== admin.tenant_id) throw new Refusal('forbidden');
    if (found.shown.revision !== expectedRevision) throw new Refusal('revision_conflict');
    if (found.shown.revoked_at_millis !== null) throw new Refusal('forbidden');
    return found;
  }

  #change(
    admin: Credential,
    found: ModelCredential,
    change: { shown?: Partial<Credential> },
    action: CredentialEvent['action'],
    now: number,
    told: Pick<CredentialEvent, 'scope_authority_change'> = {},
  ): Credential {
    const { shown, secretNumber } = found;
    const revision = shown.revision + 1;
    const event = { revision, action, actor_id: admin.id, at_millis: now, ...told };
    const next = {
      ...shown,
      ...change.shown,
      revision,
      history: newest([...shown.history, event]),
    };
    this.#credentials.set(shown.id, { shown: next, secretNumber });
    return next;
  }
}

function withoutPrevious(credential: Credential): Credential {
  const rest = { ...credential };
  delete rest.previous_secret;
  return rest;
}

/** A policy excludes `credential_admin`. */
function requirePolicyFits(
  { capabilities }: Pick<CredentialSpecInput, 'capabilities'>,
  policy: CompanyScopePolicy | null | undefined,
): void {
  const hasPolicy = policy !== undefined && policy !== null;
  if (hasPolicy && capabilities.includes('credential_admin')) throw new Refusal('invalid_request');
}

function isExpired({ spec }: Credential, now: number): boolean {
  return spec.expires_at_millis !== null && spec.expires_at_millis <= now;
}

function inOrder({ project_id, mission_id, agent_id, visibility }: Scope): string {
  return JSON.stringify({ project_id, mission_id, agent_id, visibility });
}
