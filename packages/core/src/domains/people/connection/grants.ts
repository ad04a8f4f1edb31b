/**
 * The port for an authorization server: where its grants, codes and refresh tokens are stored, and
 * how its access tokens are made. It speaks no protocol.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { keyOfAuthority, type Principal } from '../../../kernel/access/principal.js';
import { secretPin } from '../../../kernel/access/secret.js';
import type { JsonValue } from '../../../contract/schema/json-value.js';
import {
  CONNECTION_TOKEN_SECONDS,
  type ProgramAccess,
} from '../../tenancy/credential/connected-program.js';
import type { CallOrigin } from '../../../kernel/audit/audit.js';
import { callEvent, type EventSubject } from '../../../kernel/audit/call-events.js';
import { onceDelivered } from '../../../kernel/services/delivery.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { locateAccount } from '../account/account-store.js';
import { type Approval, changeApproval, findApproval, removeApproval } from './approval-store.js';
import { accountAuthority, findLiveProgram } from './authenticate-connection.js';
import { findConnection } from './connection-store.js';
import { endConnectionState } from './manage-connections.js';
import {
  connectionOf,
  findGrant,
  findReuse,
  type FoundGrant,
  type GrantKind,
} from './found-grants.js';
import { type GrantSecretKind, parseGrantSecret } from './grant-secret.js';
import { storeRefreshToken } from './redeem-approval.js';
import * as requests from './waiting-request.js';

/** Something to store. */
export interface NewGrantEntry {
  readonly payload: JsonValue;
  /** How long it is kept, in seconds. */
  readonly lifeSecs: number;
  /** Of a refresh token: 0 for the first, else one more than that of the token it replaces. */
  readonly turn?: number;
}

/** The request that uses the port, for events. */
export interface GrantCall {
  readonly origin: CallOrigin;
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
  /** The person at the browser, whose requests are bounded; absent for programs. */
  readonly person?: Principal;
}

/** An access token of a connection. */
export interface ConnectionToken {
  readonly token: string;
  readonly expiresInSecs: number;
  readonly access: readonly ProgramAccess[];
}

/** Characters of the id of a refused program that its event has. */
const NOTED_CHARS_MAX = 256;

/** Grants in the store of a keep. */
export class Grants {
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Returns what is stored under an id, used or not; `undefined` once its connection has ended. */
  async find(kind: GrantKind, id: string): Promise<FoundGrant | undefined> {
    const { store, clock } = this.#runtime;
    const nowMs = clock.now();
    return store.read((tx) => findGrant(tx, kind, id, nowMs));
  }

  /**
   * Stores something. The first refresh token of an approval makes the credential of the program,
   * and uses up the code, in the same commit; another one uses up the token before.
   *
   * @throws {AgentkeepError} `unauthorized` when the approval or its account ended, when the code
   * or the token before was used already, or the request answered; `connection_limit`.
   */
  async put(kind: GrantKind, id: string, made: NewGrantEntry, call: GrantCall): Promise<void> {
    const { clock, newId, tokens } = this.#runtime;
    const { payload, lifeSecs, turn = 0 } = made;
    // A token is used up by its successor, so the key of the access token has to be there.
    if (kind === 'RefreshToken') await tokens.publicKeys();
    const [nowMs, eventId] = [clock.now(), newId()];
    const endsAtMillis = nowMs + lifeSecs * 1_000;
    await this.#change((tx) => {
      if (kind === 'Interaction') {
        requests.putRequest(tx, id, {
          payload,
          endsAtMillis,
          nowMs,
          owner: call.person && ownerOf(call.person),
        });
        return;
      }
      if (kind === 'Grant') {
        changeApproval(tx, id, { ...requiredApproval(tx, id, nowMs), grant: payload }, nowMs);
        return;
      }
      const secret = parseGrantSecret(kind, id);
      if (secret === undefined) throw new AgentkeepError('unauthorized');
      if (kind === 'AuthorizationCode') {
        const code = { digest: secret.digest, payload, endsAtMillis, usedAtMillis: null };
        const approval = requiredApproval(tx, secret.grantId, nowMs);
        // One consent has one code.
        if (approval.code !== null) throw new AgentkeepError('unauthorized');
        changeApproval(tx, secret.grantId, { ...approval, code }, nowMs);
        return;
      }
      const event = storeRefreshToken(tx, { ...secret, turn, payload, endsAtMillis, nowMs });
      if (event !== undefined) this.#record(tx, event, call, { nowMs, eventId });
    });
  }

  /** Returns how far a request of a program is; `undefined` if there is none, or it has expired. */
  async requestState(id: string): Promise<requests.RequestState | undefined> {
    const { store, clock } = this.#runtime;
    const nowMs = clock.now();
    return store.read((tx) => requests.requestState(tx, id, nowMs));
  }

  /** Takes a request for its answer. Returns false if another call has, at any server. */
  async takeRequest(id: string): Promise<boolean> {
    const nowMs = this.#runtime.clock.now();
    return this.#change((tx) => requests.takeRequest(tx, id, nowMs));
  }

  /** Gives a request back whose answer could not be carried out. */
  async returnRequest(id: string): Promise<void> {
    const nowMs = this.#runtime.clock.now();
    await this.#change((tx) => {
      requests.returnRequest(tx, id, nowMs);
    });
  }

  /** Closes a request as its answer goes to the program. Returns false if that happened before. */
  async closeRequest(id: string): Promise<boolean> {
    const nowMs = this.#runtime.clock.now();
    return this.#change((tx) => requests.closeRequest(tx, id, nowMs));
  }

  /**
   * Ends a connection, or an approval that is not redeemed yet. Its event says so if the cause was
   * a second use.
   */
  async end(grantId: string, call: GrantCall, cause?: 'reuse'): Promise<void> {
    const { clock, newId } = this.#runtime;
    const [nowMs, eventId] = [clock.now(), newId()];
    await this.#change((tx) => {
      const approval = findApproval(tx, grantId, nowMs);
      if (approval === undefined) return;
      const connected = connectionOf(tx, approval, nowMs);
      if (connected === undefined) {
        removeApproval(tx, grantId);
        return;
      }
      const { credentialId: actorId } = approval;
      const ended = endConnectionState(tx, connected, { actorId, nowMs });
      const metadata = cause === undefined ? ended.metadata : { ...ended.metadata, reason: cause };
      const event = { ...ended, metadata, actor: actorOf(approval) };
      this.#record(tx, event, call, { nowMs, eventId });
    });
  }

  /**
   * Ends the connection of a code or a refresh token that was used before: somebody else may have
   * it. Returns whether there was one.
   */
  async endReused(kind: GrantSecretKind, text: string, call: GrantCall): Promise<boolean> {
    const { store, clock } = this.#runtime;
    const nowMs = clock.now();
    const reused = await store.read((tx) => findReuse(tx, kind, text, nowMs));
    // What was used once stays used, so this needs no second look.
    if (reused !== undefined) await this.end(reused.grantId, call, 'reuse');
    return reused !== undefined;
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

  #change<T>(body: (tx: WriteTx) => T): Promise<T> {
    return onceDelivered(this.#runtime, ({ store }) => store.transact(body));
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

function ownerOf({ authority, id: accountId }: Principal) {
  return { authority: keyOfAuthority(authority), accountId };
}

/**
 * Returns an approval that has not ended.
 *
 * @throws {AgentkeepError} `unauthorized`.
 */
function requiredApproval(tx: WriteTx, grantId: string, nowMs: number): Approval {
  const approval = findApproval(tx, grantId, nowMs);
  if (approval === undefined) throw new AgentkeepError('unauthorized');
  return approval;
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
