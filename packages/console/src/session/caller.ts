/** Who is signed in, and what they may do. It decides what is shown, the server all the rest. */
import type {
  Administrator,
  Agent,
  Capability,
  Credential,
  GlobalCapability,
  GlobalCredential,
} from '@agentkeep/client';
import { isRefusal } from './refusals.js';

/** A person, or a credential, that is signed in. */
export interface Caller {
  /** The username of an account, or the subject of a credential. */
  readonly name: string;
  /** Absent for the installation. */
  readonly tenantId: string | undefined;
  /** The credential of a tenant that it acts with; absent for accounts without one. */
  readonly credential: Credential | undefined;
  /** The credential of the installation that it acts with. */
  readonly installation: GlobalCredential | undefined;
  /** The id of the account, which may have no credential; absent for a credential by itself. */
  readonly accountId: string | undefined;
  readonly roles: readonly string[];
}

interface Claims {
  readonly sub: string;
  readonly username: string;
  readonly tenant_id?: string;
  readonly roles: readonly string[];
}

/** What a caller can be asked by. */
interface Asked {
  readonly agent: Agent;
  readonly administrator: Administrator;
}

/** Secrets and sessions of the installation begin so; the contract has the forms of all proofs. */
const OF_INSTALLATION = /^aks?g1_/;

/** Finds out whose a proof is. */
export async function findCaller(
  { agent, administrator }: Asked,
  proof: { readonly token: string; readonly isAccount: boolean },
): Promise<Caller> {
  const claims = proof.isAccount ? claimsOf(proof.token) : undefined;
  const isInstallation =
    claims === undefined ? OF_INSTALLATION.test(proof.token) : claims.tenant_id === undefined;
  const has = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
    if (claims !== undefined) {
      const { credential_id: id } = await agent.users.get(claims.sub);
      if (id === null) return undefined;
    }
    return ask().catch((error: unknown) => {
      // The credential of an account may have ended.
      if (claims !== undefined && isRefusal(error, 'forbidden')) return undefined;
      throw error;
    });
  };
  const credential = isInstallation ? undefined : await has(() => agent.whoAmI());
  const installation = isInstallation ? await has(() => administrator.identity()) : undefined;
  return {
    name: claims?.username ?? (credential ?? installation)?.spec.subject_id ?? '',
    tenantId: claims?.tenant_id ?? credential?.tenant_id,
    credential,
    installation,
    accountId: claims?.sub,
    roles: claims?.roles ?? [],
  };
}

/** Returns whether a caller has a capability, in its tenant or in the installation. */
export function may(
  { credential, installation }: Caller,
  capability: Capability | GlobalCapability,
): boolean {
  const has: readonly string[] = (credential ?? installation)?.spec.capabilities ?? [];
  return has.includes(capability);
}

/**
 * Returns whether a caller is an administrator of its tenant, or of the installation: an account by
 * its roles, whatever its credential may do, and a credential by itself by its rights
 * (docs/contract/conventions.md#con-61).
 */
export function isAdministrator(caller: Caller): boolean {
  const { accountId, roles, installation } = caller;
  if (accountId !== undefined) return roles.includes('Admin') || roles.includes('SuperAdmin');
  return installation?.is_master === true || may(caller, 'credential_admin');
}

/** Returns whether a caller is an administrator of the installation. */
export function administersInstallation(caller: Caller): boolean {
  return caller.tenantId === undefined && isAdministrator(caller);
}

function claimsOf(token: string): Claims {
  const [, payload = ''] = token.split('.');
  const bytes = Uint8Array.from(
    atob(payload.replaceAll('-', '+').replaceAll('_', '/')),
    (character) => character.charCodeAt(0),
  );
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
