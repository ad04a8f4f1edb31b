/**
 * Answers that give secrets, and the callers that they make.
 * @module
 */
import { type Caller, GLOBAL, proofOf } from './caller.js';

/** The members of answers that give secrets; each answer has some of them. */
export interface Issued {
  readonly secret?: string;
  readonly access_token?: string;
  readonly key?: string;
  readonly session?: { readonly token: string };
  readonly credential?: IssuedCredential;
}

/** What a caller is made of. */
interface IssuedCredential {
  readonly id: string;
  readonly tenant_id?: string;
  readonly spec: {
    readonly subject_id: string;
    readonly capabilities: readonly string[];
    readonly grants?: Caller['scopes'];
  };
}

/** The proof that an answer gives; none, if it gives no secret. */
export function proofIn({ secret, access_token, key, session }: Issued): Caller['proof'] {
  const given = secret ?? access_token ?? key ?? session?.token;
  return given === undefined ? [] : proofOf(given);
}

/** The holder of an issued credential, with all that its spec gives; the rest is as in `blank`. */
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

/** Whether an answer gives a credential with its secret. */
export function givesCredential(
  issued: Issued,
): issued is Issued & { credential: IssuedCredential } {
  return issued.secret !== undefined && issued.credential !== undefined;
}
