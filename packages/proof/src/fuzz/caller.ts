/** Senders of requests: a proof, and the rights of its holder. */
import type { ScopeInput } from '@agentkeep/core';

/** The login data of a person. */
export interface Login {
  readonly username: string;
  readonly password: string;
  /** Absent for an account of the installation. */
  readonly tenantId?: string;
}

/** A party that sends requests. */
export interface Caller {
  /** For reports: `agent of alpha, by JWT`. */
  readonly name: string;
  /** Id of the tenant whose data it may see; `global` for the installation, `unauthenticated` for none. */
  readonly authority: string;
  /** The headers that carry its proof. */
  readonly proof: readonly (readonly [name: string, value: string])[];
  /** Names as in {@link ContractOperation.needs}. */
  readonly rights: ReadonlySet<string>;
  readonly scopes: readonly ScopeInput[];
  readonly subjectId: string;
  readonly login?: Login;
  /** Whether it may end its own session or change its own password. */
  readonly isSpare: boolean;
}

/** The authority of the installation. */
export const GLOBAL = 'global';

/** A caller without a proof. */
export const unauthenticated: Caller = {
  name: 'unauthenticated',
  authority: 'unauthenticated',
  proof: [],
  rights: new Set(),
  scopes: [],
  subjectId: 'unauthenticated',
  isSpare: false,
};

/** Returns the headers of a proof. API keys use a separate header. */
export function proofOf(secret: string): [string, string][] {
  return secret.startsWith('ak_live_')
    ? [['X-API-Key', secret]]
    : [['Authorization', `Bearer ${secret}`]];
}

/** Whether a header of this name carries a proof. */
export function isProofHeader(name: string): boolean {
  return /^(?:authorization|x-api-key)$/i.test(name);
}

/** Returns the secret in the headers of a proof. */
export function secretOf({ proof }: Pick<Caller, 'proof'>): string | undefined {
  return proof[0]?.[1].replace(/^Bearer /, '');
}
