/**
 * The port for an authorization server: where its grants, codes and refresh tokens are stored, and
 * how its access tokens are made. It speaks no protocol.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { CONNECTION_TOKEN_SECONDS } from '../../identity/credential/connection-limits.js';
import { secretPin } from '../../access/secret.js';
import type { JsonValue } from '../../contract/schema/json-value.js';
import type { ProgramAccess } from '../../identity/credential/connected-program.js';
import { isLive } from '../../identity/credential/credential-policy.js';
import { findCredential } from '../../identity/credential/credential-store.js';
import type { CallOrigin } from '../../runtime/audit/audit.js';
import { callEvent, type EventSubject } from '../../runtime/audit/call-events.js';
import type { Runtime } from '../../runtime/services/runtime.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { locateAccount } from '../account/account-store.js';
import { type Approval, approvalDigest, findApproval } from './approval-store.js';
import { accountAuthority, findLiveProgram } from './authenticate-connection.js';
import { findConnection, liveConnections } from './connection-store.js';
import { endConnectionState } from './end-connection-state.js';
import {
  findGrantEntry,
  type GrantEntry,
  grantEntryDigest,
  putGrantEntry,
  removeGrantEntry,
} from './grant-entry-store.js';
import { storeRefreshToken } from './redeem-approval.js';

/** The kinds of entries that an authorization server stores. */
export type GrantKind = 'Interaction' | 'Grant' | 'AuthorizationCode' | 'RefreshToken';

/** An entry to store. */
export interface NewGrantEntry {
  readonly payload: JsonValue;
  /** How long the entry is kept, in seconds. */
  readonly lifeSecs: number;
  /** The approval that it belongs to; absent before one was given. */
  readonly grantId: string | undefined;
}

/** The request that uses the port, for events. */
export interface GrantCall {
  readonly origin: CallOrigin;
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
}

/** An access token of a connection. */
export interface ConnectionToken {
  readonly token: string;
  readonly expiresInSecs: number;
  readonly access: readonly ProgramAccess[];
}

/** Used codes and tokens are kept at least so long, so that a second use is noticed. */
const NOTICED_MS = 600_000;

/** Characters of the id of a refused program that its event has. */
const NOTED_CHARS_MAX = 256;

/** Grants in the store of a keep. */
export class Grants {
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Returns an entry that is live, used or not; `undefined` once its connection has ended. */
  async find(kind: GrantKind, id: string): Promise<GrantEntry | undefined> {
    const { store, clock } = this.#runtime;
    const nowMs = clock.now();
    return store.read((tx) => {
      const entry = findGrantEntry(tx, grantEntryDigest(kind, id), nowMs);
      if (entry === undefined || entry.grantId === null) return entry;
      return isLiveGrant(tx, entry.grantId, nowMs) ? entry : undefined;
    });
  }

  /**
   * Stores an entry. The first refresh token of an approval makes the credential of the program, in
   * the same commit.
   *
   * @throws {AgentkeepError} `unauthorized` when the approval or its account ended;
   * `connection_limit`.
   */
  async put(kind: GrantKind, id: string, made: NewGrantEntry, call: GrantCall): Promise<void> {
    const { store, clock, newId } = this.#runtime;
    const { payload, lifeSecs, grantId } = made;
    const [nowMs, eventId] = [clock.now(), newId()];
    const digest = grantEntryDigest(kind, id);
    const expiresAtMillis = nowMs + Math.max(lifeSecs * 1_000, NOTICED_MS);
    const stored = { kind, payload, expiresAtMillis, consumedAtMillis: null };
    await store.transact((tx) => {
      const entry = { ...stored, grantId: grantId ?? null };
      if (kind !== 'RefreshToken' || grantId === undefined) {
        putGrantEntry(tx, digest, entry);
        return;
      }
      const event = storeRefreshToken(tx, { grantId, digest, entry, nowMs });
      if (event !== undefined) this.#record(tx, event, call, { nowMs, eventId });
    });
  }

  /** Marks an entry as used. Returns false if it was used before, or is gone. */
  async consume(kind: GrantKind, id: string): Promise<boolean> {
    const { store, clock } = this.#runtime;
    const nowMs = clock.now();
    const digest = grantEntryDigest(kind, id);
    return store.transact((tx) => {
      const entry = findGrantEntry(tx, digest, nowMs);
      if (entry === undefined || entry.consumedAtMillis !== null) return false;
      putGrantEntry(tx, digest, { ...entry, consumedAtMillis: nowMs });
      return true;
    });
  }

  /** Removes an entry, if it is there. */
  async remove(kind: GrantKind, id: string): Promise<void> {
    const digest = grantEntryDigest(kind, id);
    await this.#runtime.store.transact((tx) => {
      removeGrantEntry(tx, digest);
    });
  }

  /** Ends a connection, or an approval that is not redeemed yet. */
  async end(grantId: string, call: GrantCall): Promise<void> {
    const { store, clock, newId } = this.#runtime;
    const [nowMs, eventId] = [clock.now(), newId()];
    await store.transact((tx) => {
      const approval = findApproval(tx, grantId, nowMs);
      removeGrantEntry(tx, approvalDigest(grantId));
      removeGrantEntry(tx, grantEntryDigest('Grant', grantId));
      if (approval === undefined) return;
      const { tenantId, credentialId, program } = approval;
      const owner = { tenantId, accountId: program.account_id };
      const live = liveConnections(tx, owner, nowMs);
      const connected = live.find(({ credential }) => credential.id === credentialId);
      if (connected === undefined) return;
      const event = endConnectionState(tx, connected, { actorId: credentialId, nowMs });
      this.#record(tx, { ...event, actor: actorOf(approval) }, call, { nowMs, eventId });
    });
  }

  /** Returns whether an account may act, so that programs can act for it. */
  async isLiveAccount(accountId: string): Promise<boolean> {
    const { store, clock } = this.#runtime;
    const nowMs = clock.now();
    return store.read((tx) => {
      const account = locateAccount(tx, accountId);
      if (account === undefined) return false;
      return accountAuthority(tx, account.authority, accountId, nowMs) !== undefined;
    });
  }

  /**
   * Makes an access token of a connection.
   *
   * @throws {AgentkeepError} `unauthorized` once the connection or its account ended.
   */
  async issueToken(grantId: string, call: GrantCall): Promise<ConnectionToken> {
    const { store, clock, tokens, newId } = this.#runtime;
    const nowMs = clock.now();
    const { approval, verifier } = await store.read((tx) => {
      const found = findApproval(tx, grantId, nowMs);
      const live = found && findLiveProgram(tx, found, nowMs);
      if (found === undefined || live === undefined) throw new AgentkeepError('unauthorized');
      return { approval: found, verifier: live.credential.verifier };
    });
    const { tenantId, credentialId, spec, program } = approval;
    const claims = {
      ...{ tenantId, credentialId, pin: secretPin(verifier) },
      subjectId: spec.subject_id,
      service: program.client_host,
      jti: newId(),
    };
    const leftSecs = Math.floor((spec.expires_at_millis - nowMs) / 1_000);
    const lifeSecs = Math.min(CONNECTION_TOKEN_SECONDS, leftSecs);
    const issued = await tokens.issueDelegated(claims, nowMs, lifeSecs);
    this.#observe(granted(approval), call, nowMs);
    return { ...issued, access: program.access };
  }

  /** Returns the grant and the program of an access token of a connection, or `undefined`. */
  async grantOfToken(
    token: string,
  ): Promise<{ readonly grantId: string; readonly clientId: string } | undefined> {
    const { store, clock, tokens } = this.#runtime;
    const nowMs = clock.now();
    const stated = await tokens.verify(token, nowMs);
    if (stated?.kind !== 'delegated') return undefined;
    return store.read((tx) => {
      const program = findLiveProgram(tx, stated, nowMs)?.credential.program;
      if (program === undefined) return undefined;
      const { account_id: accountId, client_id: clientId } = program;
      const { tenantId, credentialId } = stated;
      const connection = findConnection(tx, { tenantId, accountId }, credentialId);
      return connection && { grantId: connection.grantId, clientId };
    });
  }

  /** Notes that a request was refused, in the log of the installation, as any caller can. */
  refused(reason: string, clientId: string | null, call: GrantCall): void {
    const named = clientId?.slice(0, NOTED_CHARS_MAX);
    const metadata = named === undefined ? { reason } : { reason, client_id: named };
    const { path: resource } = call.origin;
    const refusal = { type: 'permission_denied', action: 'oauth', result: 'unauthorized' } as const;
    this.#observe({ ...refusal, resource, metadata }, call, this.#runtime.clock.now());
  }

  /** The id is made before the transaction, because its body may run more than once. */
  #record(
    tx: WriteTx,
    event: EventSubject,
    call: GrantCall,
    { nowMs, eventId }: { readonly nowMs: number; readonly eventId: string },
  ): void {
    const newId = (): string => eventId;
    this.#runtime.audit.changed(tx, callEvent({ ...anonymous, ...call, newId, nowMs }, event));
  }

  #observe(event: EventSubject, call: GrantCall, nowMs: number): void {
    const { audit, newId } = this.#runtime;
    audit.observed(callEvent({ ...anonymous, ...call, newId, nowMs }, event));
  }
}

const anonymous = { principal: undefined, attempted: [] } as const;

function isLiveGrant(tx: ReadTx, grantId: string, nowMs: number): boolean {
  const approval = findApproval(tx, grantId, nowMs);
  if (approval === undefined) return false;
  const { tenantId, credentialId } = approval;
  const credential = findCredential(tx, tenantId, credentialId);
  return credential === undefined || isLive(credential, nowMs);
}

function actorOf({ tenantId, credentialId, spec }: Approval): EventSubject['actor'] & object {
  return { tenantId, userId: credentialId, username: spec.subject_id };
}

function granted(approval: Approval): EventSubject {
  return {
    type: 'access_granted',
    action: 'oauth',
    resource: `credential:${approval.credentialId}`,
    result: 'success',
    metadata: { client_id: approval.program.client_id },
    actor: actorOf(approval),
  };
}
