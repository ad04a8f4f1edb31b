/**
 * Finds or creates the credential that an embedding program acts with for a subject, and its
 * tenant. The secret is never delivered.
 */
import { HeldProof } from '../../../kernel/access/principal.js';
import type { Scope } from '../../../kernel/access/scope.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { operatorEvent } from '../../../kernel/installation/operator-events.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { credentialChanged } from '../credential/credential-event.js';
import {
  insertCredential,
  type StoredCredential,
  updateCredential,
} from '../credential/credential-store.js';
import { newCredential, type NewCredential } from '../credential/new-credential.js';
import type { CredentialEvent } from '../credential/schema.js';
import { findTenant, insertTenant } from '../tenant/tenant-store.js';
import {
  type AgentOptions,
  checkAgentOptions,
  refuseTooManyScopes,
  type WantedAgent,
} from './agent-options.js';
import { type ChosenAuthority, decideProgramCredential } from './program-credential-policy.js';
import { findProgramCredential, putProgramCredential } from './program-credential-store.js';

/**
 * Finds the credential of a subject, or creates it and its tenant. Returns a proof of it.
 * @throws {AgentkeepError} `invalid_request` for a wrong option; without `renew`,
 * `credential_revoked` and `capabilities_differ`; `subject_erased` until an administrator admits the
 * subject anew with `subjects.put()`.
 */
export async function ensureProgramCredential(
  runtime: Runtime,
  options: AgentOptions,
): Promise<ProvedProgram> {
  const wanted = checkAgentOptions(options);
  return { held: await proofFor(runtime, wanted), home: wanted.grants[0] };
}

/** The proof of a program, and the scope that its memory is in where none is named. */
export interface ProvedProgram {
  readonly held: HeldProof;
  readonly home: Scope | undefined;
}

async function proofFor(runtime: Runtime, wanted: WantedAgent): Promise<HeldProof> {
  const { tenantId, subjectId } = wanted;
  const known = await runtime.store.read((tx) =>
    decideProgramCredential(findProgramCredential(tx, tenantId, subjectId), wanted),
  );
  if (known.type === 'use') return proofOf(known.credential);
  const change = new ProgramCredentialChange(runtime, wanted);
  return proofOf(await runtime.store.transact((tx) => change.apply(tx)));
}

function proofOf({ tenantId, id, verifier }: StoredCredential): HeldProof {
  return new HeldProof({ kind: 'credential', tenantId, credentialId: id, verifier });
}

/** Decides and stores the change in one transaction. Ids, secret and time are chosen before it. */
class ProgramCredentialChange {
  readonly #runtime: Runtime;
  readonly #wanted: WantedAgent;
  readonly #nowMs: number;
  readonly #made: NewCredential;
  readonly #eventIds: readonly [ended: string, current: string];

  constructor(runtime: Runtime, wanted: WantedAgent) {
    const { tenantId, subjectId, capabilities, grants, actFor } = wanted;
    this.#runtime = runtime;
    this.#wanted = wanted;
    this.#nowMs = runtime.clock.now();
    this.#made = newCredential(runtime, {
      tenantId,
      spec: {
        ...{ subject_id: subjectId, capabilities, grants, expires_at_millis: null },
        ...(actFor === undefined ? {} : { act_for: actFor }),
      },
      action: 'issued',
      nowMs: this.#nowMs,
    });
    this.#eventIds = [runtime.newId(), runtime.newId()];
  }

  /** Decides again, because another process may have changed the credential since it was read. */
  apply(tx: WriteTx): StoredCredential {
    const { tenantId, subjectId } = this.#wanted;
    const found = findProgramCredential(tx, tenantId, subjectId);
    const decision = decideProgramCredential(found, this.#wanted);
    switch (decision.type) {
      case 'use':
        return decision.credential;
      case 'rescope':
        return this.#rescope(tx, decision.credential, decision.authority);
      case 'issue':
        if (decision.ended !== undefined) this.#revoke(tx, decision.ended);
        return this.#issue(tx);
      case 'revoked':
        throw new AgentkeepError('credential_revoked');
      case 'capabilities_differ':
        throw new AgentkeepError('capabilities_differ');
    }
  }

  #issue(tx: WriteTx): StoredCredential {
    const { credential, event } = this.#made;
    const { tenantId } = credential;
    if (findTenant(tx, tenantId) === undefined) {
      const createdAtMillis = this.#nowMs;
      insertTenant(tx, { tenantId, createdAtMillis, initialAdminId: null, registered: null });
    }
    insertCredential(tx, credential, event);
    putProgramCredential(tx, credential);
    this.#record(tx, this.#eventIds[1], credentialChanged(credential, 'issued'));
    return credential;
  }

  #rescope(tx: WriteTx, target: StoredCredential, current: ChosenAuthority): StoredCredential {
    const { scope_policy, grants, ...spec } = target.spec;
    const previous = { grants, ...(scope_policy === undefined ? {} : { scope_policy }) };
    refuseTooManyScopes(current.grants);
    return this.#update(
      tx,
      this.#eventIds[1],
      { ...target, spec: { ...spec, ...current } },
      { action: 'scope_authority_changed', scope_authority_change: { previous, current } },
    );
  }

  #revoke(tx: WriteTx, target: StoredCredential): void {
    const ended = { ...target, revokedAtMillis: this.#nowMs };
    this.#update(tx, this.#eventIds[0], ended, { action: 'revoked' });
  }

  #update(
    tx: WriteTx,
    eventId: string,
    changed: StoredCredential,
    event: Pick<CredentialEvent, 'action' | 'scope_authority_change'>,
  ): StoredCredential {
    const revision = changed.revision + 1;
    const next = { ...changed, revision };
    updateCredential(tx, next, { revision, actor_id: next.id, at_millis: this.#nowMs, ...event });
    this.#record(tx, eventId, credentialChanged(next, event.action));
    return next;
  }

  #record(tx: WriteTx, id: string, subject: EventSubject): void {
    const ports = { newId: () => id, clock: { now: () => this.#nowMs } };
    this.#runtime.audit.changed(tx, operatorEvent(ports, this.#wanted.tenantId, subject));
  }
}
