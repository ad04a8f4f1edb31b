/**
 * What the model knows: plain data about everything that was made, and nothing of how it is kept.
 */
import type { GlobalCapability, GlobalCredentialEvent } from '@agentkeep/core';
import type { DevelopmentModel } from './development-model.js';
import { CredentialModel } from './credential-model.js';
import { MemoryModel } from './memory-model.js';
import type { Procedure } from './procedure.js';

/** The authority of the installation; any other is the id of a tenant. */
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
}

/** A person. */
export interface Account {
  readonly id: string;
  readonly authority: string;
  readonly username: string;
  readonly credentialId: string | null;
  readonly createdAt: number;
  /** Oldest first; the revision is its length. */
  readonly history: string[];
  password: string;
  email: string | null;
  roles: readonly string[];
  isActive: boolean;
  disabledAt: number | null;
  isDeleted: boolean;
  updatedAt: number;
  lastLogin: number | null;
}

/** A login that may still count. */
export interface Session {
  readonly account: Account;
  readonly kind: 'jwt' | 'opaque';
  readonly endsAt: number;
  /** Revision of the bound credential at the login. */
  readonly pinned: number | null;
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

/** What failed logins of a name led to. */
export interface Lockout {
  failures: number;
  firstFailureAt: number;
  lastChangeAt: number;
  count: number;
  lock: { readonly expiresAt: number | null; readonly reason: string | null } | null;
}

/** A rate-limit policy as it is shown, without its times. */
export interface RatePolicy {
  readonly id: string;
  readonly endpoint_type: unknown;
  readonly created_by: string;
  name: string;
  max_requests: number;
  window_secs: number;
  enabled: boolean;
}

/** Something that is registered once under an id and never changes. */
export interface Registration {
  readonly request: unknown;
  /** Subject of whoever registered it. */
  readonly subject: string;
  readonly answer: unknown;
}

/** What is known of an attempt. */
export interface Attempt {
  readonly receipt: { readonly context_digest: string; readonly receipt_digest: string };
  readonly reporter: string;
  readonly events: string[];
  outcome: string | null;
  lastEventId: string | null;
  readonly totals: (number | null)[];
  readonly observed: (number | null)[];
}

/** Everything that there is. */
export class World {
  now: number;
  readonly tenants = new Map<string, { readonly registration: object | null }>();
  readonly credentials = new CredentialModel();
  readonly memory = new MemoryModel(this.credentials);
  readonly globals = new Map<string, GlobalCredential>();
  readonly accounts: Account[] = [];
  readonly sessions: Session[] = [];
  readonly revokedTokens = new Set<string>();
  readonly keys: ApiKey[] = [];
  /** By {@link nameKey}. */
  readonly lockouts = new Map<string, Lockout>();
  readonly policies: RatePolicy[] = [];
  /** What is registered for good, by kind, place and id. */
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

  /** Counts an event of the audit log; the installation has those of unknown tenants. */
  count(authority: string, eventType: string): void {
    const key = nameKey(this.tenants.has(authority) ? authority : INSTALLATION, eventType);
    this.events.set(key, (this.events.get(key) ?? 0) + 1);
  }

  /** Whether an id is of somebody who acts for the installation. */
  isOfInstallation(id: string): boolean {
    return (
      this.globals.has(id) ||
      this.accounts.some((each) => each.authority === INSTALLATION && each.id === id)
    );
  }

  /** The account of that name, also a disabled one. */
  accountNamed(authority: string, username: string): Account | undefined {
    return this.accounts.find((each) => each.authority === authority && each.username === username);
  }
}

/** One text for a name of an authority. */
export function nameKey(authority: string, name: string): string {
  return JSON.stringify([authority, name]);
}

/** A time as the account surface writes it. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
