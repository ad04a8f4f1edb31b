/** Answers that deliver secrets, and the callers that result from them. */
import { type Caller, GLOBAL, proofOf } from './caller.js';

/** Members of answers that deliver secrets. Each answer has some of them. */
export interface Issued {
  readonly secret?: string;
  readonly access_token?: string;
  readonly key?: string;
  readonly session?: { readonly token: string };
  readonly credential?: IssuedCredential;
}

/** The members of a credential that define a caller. */
interface IssuedCredential {
  readonly id: string;
  readonly tenant_id?: string;
  readonly spec: {
    readonly subject_id: string;
    readonly capabilities: readonly string[];
    readonly grants?: Caller['scopes'];
  };
}

/** Returns the proof in an answer; empty if it delivers no secret. */
export function proofIn({ secret, access_token, key, session }: Issued): Caller['proof'] {
  const given = secret ?? access_token ?? key ?? session?.token;
  return given === undefined ? [] : proofOf(given);
}

/**
 * Returns the holder of an issued credential, with the rights of its spec and the rest of `blank`.
 */
export function holderOf(issued: Issued & { credential: IssuedCredential }, blank: Caller): Caller {
  const { tenant_id, spec } = issued.credential;
  const { capabilities, grants: scopes = [], subject_id: subjectId } = spec;
  const isGlobal = tenant_id === undefined;
  const rights = new Set(capabilities.map((name) => (isGlobal ? `installation ${name}` : name)));
  rights.add(isGlobal ? 'installation' : 'tenant');
  if (rights.has('credential_admin')) rights.add('Admin');
  const authority = tenant_id ?? GLOBAL;
  return { ...blank, authority, rights, scopes, subjectId, proof: proofIn(issued) };
}

/** Returns whether an answer delivers a credential with its secret. */
export function givesCredential(
  issued: Issued,
): issued is Issued & { credential: IssuedCredential } {
  return issued.secret !== undefined && issued.credential !== undefined;
}
