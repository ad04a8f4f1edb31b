/**
 * The state of the model: plain data about everything that was made.
 */
import type { GlobalCapability, GlobalCredentialEvent } from '@agentkeep/core';
import type { OutputOf } from '@agentkeep/core/clients';
import type { DevelopmentModel } from './development-model.js';
import { BranchModel } from './branch-model.js';
import { ConsumerModel } from './consumer-model.js';
import { CredentialModel } from './credential-model.js';
import { ProposalModel } from './proposal-model.js';
import { MemoryModel } from './memory-model.js';
import type { Procedure } from './procedure.js';

/** The authority of the installation. Any other authority is the id of a tenant. */
export const INSTALLATION = '';

/** A credential of the installation. */
export interface GlobalCredential {
  readonly id: string;
  readonly isMaster: boolean;
  readonly subject: string;
  readonly capabilities: readonly GlobalCapability[];
  readonly expiresAt: number | null;
  /** Oldest first; the revision is its length. */
  readonly history: GlobalCredentialEvent['action'][];
  revokedAt: number | null;
  secretNumber: number;
  /** Until when the secret before is good; 0 for none. */
  previousEndsAt: number;
}

/** The account of a person. */
export interface Account {
  readonly id: string;
  readonly authority: string;
  readonly username: string;
  credentialId: string | null;
  readonly createdAt: number;
  /** Oldest first; the revision is its length. */
  readonly history: string[];
  /** Who at issuers signs in as it. */
  links: readonly AccountLink[];
  password: string;
  email: string | null;
  roles: readonly string[];
  isActive: boolean;
  disabledAt: number | null;
  isDeleted: boolean;
  updatedAt: number;
  lastLogin: number | null;
}

/** Who at an issuer signs in as an account. */
export type AccountLink = OutputOf<'getUserLinks'>['links'][number];

/** A session, open or ended. */
export interface Session {
  /** Learned from its first token. */
  id: string;
  readonly account: Account;
  readonly kind: 'jwt' | 'opaque';
  readonly createdAt: number;
  readonly endsAt: number;
  /** Revision of the bound credential at the login. */
  readonly pinned: number | null;
  /** The bound credential at the login. */
  readonly boundId: string | null;
  /** The issuer that it was opened by, and the session there. */
  readonly signIn?: { readonly issuer: string; readonly sid: string };
  isEnded: boolean;
}

/** A key of an account. */
export interface ApiKey {
  readonly id: string;
  readonly account: Account;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  isDeleted: boolean;
}

/** The failed logins of a name and the lock that they led to. */
export interface Lockout {
  failures: number;
  firstFailureAt: number;
  lastChangeAt: number;
  count: number;
  lock: { readonly expiresAt: number | null; readonly reason: string | null } | null;
}

/** An entry that is registered once and never changes. */
export interface Registration {
  readonly request: unknown;
  /** The subject that registered it. */
  readonly subject: string;
  readonly answer: unknown;
}

/** An attempt. */
export interface Attempt {
  readonly receipt: { readonly context_digest: string; readonly receipt_digest: string };
  readonly reporter: string;
  readonly events: string[];
  outcome: string | null;
  lastEventId: string | null;
  readonly totals: (number | null)[];
  readonly observed: (number | null)[];
}

/** An issuer as answers show it. */
export interface TrustedIssuer {
  readonly name: string;
  readonly revision: number;
  readonly issuer: string | null;
  readonly audience: string;
  readonly keys: { readonly mode: 'inline'; readonly keys: readonly object[] };
  readonly is_blocked: boolean;
  readonly updated_at_millis: number;
  readonly updated_by: string;
}

/** An installation with its tenants. */
export class World {
  now: number;
  readonly tenants = new Map<string, { readonly registration: object | null }>();
  /** The storage quotas that were set, by tenant. */
  readonly quotas = new Map<string, Pick<OutputOf<'getStorageQuota'>, 'quota' | 'revision'>>();
  readonly credentials = new CredentialModel();
  /** Whether credentials of a tenant must have keys, where it was stated. */
  readonly keyRequirements = new Map<string, OutputOf<'getKeyRequirement'>['requirement']>();
  /** Issuers by tenant and name. */
  readonly issuers = new Map<string, TrustedIssuer>();
  /** How people sign in, by authority. */
  readonly signIns = new Map<string, OutputOf<'getSignInSettings'>>();
  /** The account of a person at an issuer, by {@link nameKey} of authority and link. */
  readonly linked = new Map<string, Account>();
  readonly memory = new MemoryModel(this.credentials);
  readonly consumers = new ConsumerModel(this.memory.changes);
  readonly branches = new BranchModel(this.credentials, this.memory);
  readonly proposals = new ProposalModel(this.credentials, this.memory);
  readonly globals = new Map<string, GlobalCredential>();
  readonly accounts: Account[] = [];
  readonly sessions: Session[] = [];
  readonly revokedTokens = new Set<string>();
  readonly keys: ApiKey[] = [];
  /** By {@link nameKey}. */
  readonly lockouts = new Map<string, Lockout>();
  /** By kind, place and id. */
  readonly registrations = new Map<string, Registration>();
  /** By the entries that they are registered under. */
  readonly procedures = new Map<string, Procedure>();
  readonly developments = new Map<string, DevelopmentModel>();
  readonly attempts = new Map<string, Attempt>();
  /** Events that commit with their change, by authority and type. */
  readonly events = new Map<string, number>();
  snapshots = 0;

  constructor(now: number) {
    this.now = now;
  }

  /** Counts an audit event. Events of unknown tenants belong to the installation. */
  count(authority: string, eventType: string): void {
    const key = nameKey(this.tenants.has(authority) ? authority : INSTALLATION, eventType);
    this.events.set(key, (this.events.get(key) ?? 0) + 1);
  }

  /** Whether an id belongs to an account or a credential of the installation. */
  isOfInstallation(id: string): boolean {
    return (
      this.globals.has(id) ||
      this.accounts.some((each) => each.authority === INSTALLATION && each.id === id)
    );
  }

  /** The account with a name, even a disabled one. */
  accountNamed(authority: string, username: string): Account | undefined {
    return this.accounts.find((each) => each.authority === authority && each.username === username);
  }
}

/** The key of a name in an authority. */
export function nameKey(authority: string, name: string): string {
  return JSON.stringify([authority, name]);
}

/** A time as account operations write it. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
