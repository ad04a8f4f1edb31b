/**
 * Who sends a request: a proof, and what its holder may do.
 * @module
 */
import type { ScopeInput } from '@agentkeep/core';

/** A person, as far as logging in goes. */
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
  /** Id of the tenant whose data it may see; `global` for the installation, `nobody` for none. */
  readonly authority: string;
  /** The headers of its proof. */
  readonly proof: readonly (readonly [name: string, value: string])[];
  /** As {@link ContractOperation.needs} spells them. */
  readonly rights: ReadonlySet<string>;
  readonly scopes: readonly ScopeInput[];
  readonly subjectId: string;
  readonly login?: Login;
  /** Whether a request that ends its own session or changes its own password may come from it. */
  readonly isSpare: boolean;
}

/** The authority of the installation itself. */
export const GLOBAL = 'global';

/** Without a proof. */
export const nobody: Caller = {
  name: 'nobody',
  authority: 'nobody',
  proof: [],
  rights: new Set(),
  scopes: [],
  subjectId: 'nobody',
  isSpare: false,
};

/** The headers of a proof: an API key has one of its own. */
export function proofOf(secret: string): [string, string][] {
  return secret.startsWith('ak_live_')
    ? [['X-API-Key', secret]]
    : [['Authorization', `Bearer ${secret}`]];
}

/** Whether a header of this name carries a proof. */
export function isProofHeader(name: string): boolean {
  return /^(?:authorization|x-api-key)$/i.test(name);
}

/** The secret in the headers of a proof. */
export function secretOf({ proof }: Pick<Caller, 'proof'>): string | undefined {
  return proof[0]?.[1].replace(/^Bearer /, '');
}
