/** The certificate of an erasure: what it states, signed with the key of the installation. */
import type { Tokens } from '../../kernel/ports/tokens.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { StoredErasure } from '../stored/erasure-store.js';

/** The media type of certificates, as the header of the JWS names it. */
const CERTIFICATE_TYPE = 'agentkeep-erasure+jwt';

/** A copy that the erasure does not reach. */
export interface CopyBeyondReach {
  readonly kind:
    'snapshot' | 'audit_log' | 'audit_files' | 'database_backups' | 'replication_target';
  readonly id?: string;
  readonly created_at?: string;
  /** Backups of a database: those until this time can have it. Null before an end. */
  readonly before?: string | null;
}

/** What a certificate states. */
interface CertificateClaims {
  readonly iss: string;
  /** Id of the erasure. */
  readonly jti: string;
  /** When it was signed, in Unix seconds. */
  readonly iat: number;
  /** Null for the erasure of a tenant itself. */
  readonly tenant_id: string | null;
  readonly target: {
    readonly kind: StoredErasure['kind'];
    readonly digest: string;
    readonly key: string;
  };
  readonly pseudonym: string | null;
  /** Id of a credential. */
  readonly requested_by: string;
  readonly requested_at_millis: number;
  readonly finished_at_millis: number;
  readonly counts: StoredErasure['counts'];
  readonly keys_digest: string;
  readonly dependents: number;
  /** Ids of the keys that were destroyed; empty unless the store is encrypted. */
  readonly destroyed_keys: readonly string[];
  readonly beyond_reach: readonly CopyBeyondReach[];
}

/** Signs the certificate of an erasure whose steps are all done. */
export function signCertificate(
  tokens: Tokens,
  erasure: StoredErasure,
  { nowMs, copies }: { readonly nowMs: number; readonly copies: readonly CopyBeyondReach[] },
): Promise<string> {
  const claims: Omit<CertificateClaims, 'iss'> = {
    jti: erasure.id,
    iat: Math.floor(nowMs / 1_000),
    tenant_id: erasure.tenantId === INSTALLATION ? null : erasure.tenantId,
    target: { kind: erasure.kind, digest: erasure.targetDigest, key: erasure.targetKey },
    pseudonym: erasure.pseudonym,
    requested_by: erasure.requestedBy,
    requested_at_millis: erasure.requestedAtMillis,
    finished_at_millis: nowMs,
    counts: erasure.counts,
    keys_digest: erasure.keysDigest,
    dependents: erasure.dependents,
    destroyed_keys: erasure.keys ?? [],
    beyond_reach: copies,
  };
  return tokens.signStatement(CERTIFICATE_TYPE, { ...claims });
}
