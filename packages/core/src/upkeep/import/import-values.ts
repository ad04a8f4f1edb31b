/** Stores lines that show values as they are stored, and what is derived from them. */
import * as v from 'valibot';
import type { Namespace } from '../../kernel/access/namespace.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { findAttempt } from '../../domains/learning/experience/experience-store.js';
import type { Experience, ExperienceEvent } from '../../domains/learning/experience/schema.js';
import { basisDigest } from '../../domains/learning/policy/evaluation-basis.js';
import {
  type StoredAdmission,
  learningEvidence,
} from '../../domains/learning/procedure/admission-store.js';
import {
  findProcedure,
  findProposal,
  initialStanding,
  type Standing,
  storedBasis,
  type StoredProposal,
  learningProcedures,
} from '../../domains/learning/procedure/procedure-store.js';
import { rankOf } from '../../domains/learning/procedure/rank-of.js';
import { insertRank } from '../../domains/learning/procedure/selection-store.js';
import type {
  ToolDevelopment,
  ToolDevelopmentEvent,
} from '../../domains/learning/tool/development-schema.js';
import type { ToolArtifact } from '../../domains/learning/tool/schema.js';
import { findDevelopment, findExecutor } from '../../domains/learning/tool/tool-store.js';
import { type KeyParts, textDigest } from '../../storage/store/key.js';
import type { Entry, WriteTx } from '../../storage/store/store.js';
import { ifReadable } from '../../storage/store/value.js';
import { type PlainLine, valueOfLine } from '../export/line-forms.js';
import { isStorable, knownAs, type LineOutcome, type StoreLine } from './import-records.js';
import { isKeyOf, isWithinBounds } from './line-keys.js';
import { type ShownLine, valueSchemas } from './line-schemas.js';
import { families, familyNames, type FamilyName } from '../families/families.js';

/** The family of each line. */
const familyOfLine = new Map<string, FamilyName>(
  familyNames.flatMap((name) => {
    const { exported } = families[name].facts;
    return exported !== 'derived' && 'line' in exported ? [[exported.line, name] as const] : [];
  }),
);

/** Where a line is stored. */
interface Location {
  readonly tenantId: string;
  /** Absent for what the whole tenant has. */
  readonly namespace: Namespace | undefined;
}

/** Prepares a line; returns an outcome at once where nothing will be stored. */
export function valueWrite(place: Location, line: ShownLine): StoreLine | LineOutcome {
  const name = line.line as PlainLine;
  const family = familyOfLine.get(name);
  const schema = Object.hasOwn(valueSchemas, name) ? valueSchemas[name] : undefined;
  if (family === undefined || schema === undefined) return 'invalid';
  const { owner } = families[family].facts;
  if ((owner === 'scope') !== (place.namespace !== undefined)) return 'invalid';
  const shown = name === 'executor' ? ofTenant(line.value, place.tenantId) : line.value;
  if (!v.is(schema, shown)) return 'invalid';
  const value = valueOfLine(name, shown);
  if (!isKeyOf(name, line.key, value) || !isWithinBounds(name, value)) return 'invalid';
  const tenant = tenantsIn[name]?.(value);
  if (tenant !== undefined && tenant !== place.tenantId) return 'other_tenant';
  const entry = ifReadable(() => sealed(family, place, line.key, value));
  if (entry === undefined || !isStorable(entry)) return 'invalid';
  return (tx) => {
    const known = knownAs(tx, entry);
    const isBegun = known === 'conflict' && name === 'procedure_state' && isInitial(tx, entry);
    if (known !== undefined && !isBegun) return known;
    return storeWithDerived(tx, { ...place, name, key: line.key, value, entry });
  };
}

/** Encodes an entry, and decodes it again, which verifies its digests. */
function sealed(
  family: FamilyName,
  { tenantId, namespace }: Location,
  key: ShownLine['key'],
  value: unknown,
): Entry {
  const stored = families[family];
  const { shape } = stored;
  const parts: (string | number | Uint8Array)[] = namespace === undefined ? [] : [namespace.digest];
  for (const part of key) parts.push(partOf(shape[parts.length], part));
  if (parts.length !== shape.length) throw new AgentkeepError('storage_inconsistency');
  const entry = stored.seal(value as never, tenantId, ...(parts as never[]));
  stored.open(entry.key, entry.value);
  return entry;
}

function partOf(
  kind: keyof KeyParts | undefined,
  part: string | number,
): string | number | Uint8Array {
  const digest = kind === 'digest' ? Buffer.from(String(part), 'base64url') : undefined;
  const isGood =
    digest?.length === 32 ||
    (kind === 'text' && typeof part === 'string') ||
    (kind === 'uuid' && typeof part === 'string' && /^[\da-f-]{36}$/.test(part)) ||
    (kind === 'integer' && Number.isSafeInteger(part) && Number(part) >= 0) ||
    (kind === 'number' && typeof part === 'number');
  if (!isGood) throw new AgentkeepError('storage_inconsistency');
  return digest ?? part;
}

function ofTenant(value: unknown, tenant: string): unknown {
  return typeof value === 'object' && value !== null ? { ...value, tenant } : value;
}

/** Returns the tenant that is part of the digests of a value. */
const tenantsIn: Partial<Record<PlainLine, (value: unknown) => string>> = {
  artifact: (value) => (value as ToolArtifact).tenant,
  development: (value) => (value as ToolDevelopment).receipt.tenant,
  attempt: (value) => (value as Experience).receipt.tenant,
  development_event: (value) => (value as ToolDevelopmentEvent).record.receipt.tenant,
  attempt_event: (value) => (value as ExperienceEvent).record.receipt.tenant,
};

/** A value to store. */
interface Storing extends Location {
  readonly name: PlainLine;
  readonly key: ShownLine['key'];
  readonly value: unknown;
  readonly entry: Entry;
}

function storeWithDerived(tx: WriteTx, storing: Storing): LineOutcome {
  const { tenantId, namespace, name, key, value, entry } = storing;
  if (!hasDefinition(tx, storing)) return 'missing_definition';
  const procedureId = String(key[0]);
  tx.put(entry.key, entry.value);
  if (name === 'procedure' && namespace !== undefined) begin(tx, namespace, procedureId);
  if (name === 'procedure_state' && namespace !== undefined) {
    const standing = value as Standing;
    const procedure = ifReadable(() => findProcedure(tx, namespace, procedureId));
    if (standing.state === 'Active' && procedure !== undefined) {
      const range = { namespace, basis: basisDigest(procedure.basis) };
      insertRank(tx, range, rankOf(procedure, standing));
    }
  }
  if (name === 'evaluation' && namespace !== undefined) {
    const { outcome, submission } = value as StoredAdmission;
    const procedure = Buffer.from(procedureId, 'base64url');
    if (outcome === 'accepted') {
      const { case_id, evidence_ref } = submission;
      const used = [namespace.digest, procedure, textDigest(evidence_ref)] as const;
      learningEvidence.put(tx, case_id, tenantId, ...used);
    }
  }
  return 'stored';
}

/** Returns whether what a value refers to is stored, as it is where a command made the value. */
function hasDefinition(tx: WriteTx, { tenantId, namespace, name, key, value }: Storing): boolean {
  if (name === 'procedure') {
    return ifReadable(() => storedBasis(tx, tenantId, value as StoredProposal)) !== undefined;
  }
  if (namespace === undefined) return true;
  if (name === 'procedure_state') return findProposal(tx, namespace, String(key[0])) !== undefined;
  if (name === 'candidate') return findProposal(tx, namespace, String(key[1])) !== undefined;
  if (name === 'development') {
    const { request, executor_profile_digest: digest } = (value as ToolDevelopment).receipt;
    return findExecutor(tx, tenantId, request.executor_id)?.profile_digest === digest;
  }
  if (name === 'development_event') {
    const { request } = (value as ToolDevelopmentEvent).record.receipt;
    return findDevelopment(tx, namespace, request.id) !== undefined;
  }
  if (name === 'attempt_event') {
    const { request } = (value as ExperienceEvent).record.receipt;
    return findAttempt(tx, namespace, request.id) !== undefined;
  }
  return true;
}

/** Gives a procedure the state in which it begins, unless its line comes too. */
function begin(tx: WriteTx, { tenantId, digest }: Namespace, id: string): void {
  if (learningProcedures.get(tx, tenantId, digest, id) === undefined) {
    learningProcedures.put(tx, initialStanding, tenantId, digest, id);
  }
}

/** Returns whether the state of a procedure is the one in which it begins. */
function isInitial(tx: WriteTx, { key }: Entry): boolean {
  const stored = tx.get(key);
  return stored !== undefined && isSame(learningProcedures.open(key, stored), initialStanding);
}

const isSame = (one: Standing, other: Standing): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
