/**
 * Documents of executors and artifacts, field by field (contract, learning-tools-experiences 3).
 * @module
 */
import * as v from 'valibot';
import { Actor } from '../../access/actor.js';
import { Scope } from '../../access/scope.js';
import {
  ARTIFACT_JSON_SCHEMA_BYTES_MAX,
  ARTIFACT_LOCK_BYTES_MAX,
  ARTIFACT_SOURCE_BYTES_MAX,
  ARTIFACT_SOURCE_REFS_MAX,
} from '../../contract/limits.js';
import { closed, orNull } from '../../contract/schema/document.js';
import { describedAs, named } from '../../contract/schema/json-schema.js';
import { ledgerId, reference } from '../../contract/schema/ledger-text.js';
import { answeredVersion, contractVersion, integer } from '../../contract/schema/number.js';
import { utf8Bytes } from '../../contract/schema/text.js';
import { hexDigest, textOf } from '../../contract/schema/text-of.js';

/** Who wrote something about tools. */
export const ToolActor = v.pipe(closed(Actor.entries), named('ToolActor'));

/** The image that a tool runs in, by its digest. */
function imageDigest() {
  const pattern = '^sha256:[0-9a-f]{64}$';
  return v.pipe(
    v.string(),
    v.regex(new RegExp(pattern), 'image_digest'),
    describedAs({ type: 'string', pattern }),
  );
}

/** Who develops tools, where and within which budget; a name without address or password. */
export const ToolExecutorProfile = v.pipe(
  closed({
    id: ledgerId,
    subject_id: ledgerId,
    runtime_image_digest: imageDigest(),
    environment_revision: ledgerId,
    permissions_revision: ledgerId,
    max_cost_units: integer(1),
    max_latency_ms: integer(1),
  }),
  named('ToolExecutorProfile'),
);
export type ToolExecutorProfile = v.InferOutput<typeof ToolExecutorProfile>;

/** An executor as it was registered. */
export const ToolExecutor = v.pipe(
  closed({
    schema_version: v.literal(1),
    tenant: v.string(),
    profile: ToolExecutorProfile,
    profile_digest: hexDigest(),
    actor: ToolActor,
    recorded_at_millis: integer(),
  }),
  named('ToolExecutor'),
);
export type ToolExecutor = v.InferOutput<typeof ToolExecutor>;

/** Body that registers an executor. */
export const ToolExecutorRequest = v.pipe(
  closed({ contract_version: contractVersion(), profile: ToolExecutorProfile }),
  named('ToolExecutorRequest'),
);

/** Answer with an executor. */
export const ToolExecutorResponse = v.pipe(
  closed({ contract_version: answeredVersion, executor: ToolExecutor }),
  named('ToolExecutorResponse'),
);

/** A JSON Schema of a tool. It is kept and compared as a JSON value, and never compiled. */
function toolSchema() {
  const isSchema = (value: unknown): boolean =>
    typeof value === 'boolean' ||
    (typeof value === 'object' && value !== null && !Array.isArray(value));
  return v.pipe(
    v.custom<boolean | Record<string, unknown>>(isSchema, 'json_schema'),
    v.check(
      (value) => utf8Bytes(JSON.stringify(value)) <= ARTIFACT_JSON_SCHEMA_BYTES_MAX,
      'compact_size',
    ),
    describedAs({ anyOf: [{ type: 'object' }, { type: 'boolean' }] }),
  );
}

/** A text that may be empty, of at most so many UTF-8 bytes. */
function lockText() {
  return v.pipe(
    v.string(),
    v.check((text) => utf8Bytes(text) <= ARTIFACT_LOCK_BYTES_MAX, 'lock_size'),
    describedAs({
      type: 'string',
      maxLength: ARTIFACT_LOCK_BYTES_MAX,
      description: `At most ${ARTIFACT_LOCK_BYTES_MAX.toLocaleString('en')} UTF-8 bytes.`,
    }),
  );
}

/** What a repair starts from, and the evidence that asks for it. */
export const repairEntries = {
  parent_artifact_id: orNull(ledgerId),
  repair_evidence_ref: orNull(reference),
};

/** Parent and evidence come together or not at all. */
export function isWholeRepair(repair: {
  readonly parent_artifact_id: string | null;
  readonly repair_evidence_ref: string | null;
}): boolean {
  return (repair.parent_artifact_id === null) === (repair.repair_evidence_ref === null);
}

/** A tool as it is proposed: source, what it needs, its interface and where it comes from. */
export const ToolArtifactProposal = v.pipe(
  closed({
    id: ledgerId,
    source: textOf(ARTIFACT_SOURCE_BYTES_MAX),
    dependency_lock: lockText(),
    runtime_image_digest: imageDigest(),
    entrypoint: ledgerId,
    input_schema: toolSchema(),
    output_schema: toolSchema(),
    source_refs: v.pipe(v.array(reference), v.minLength(1), v.maxLength(ARTIFACT_SOURCE_REFS_MAX)),
    ...repairEntries,
  }),
  v.check((it) => isWholeRepair(it), 'whole_repair'),
  v.check(({ id, parent_artifact_id }) => id !== parent_artifact_id, 'own_parent'),
  named('ToolArtifactProposal'),
);
export type ToolArtifactProposal = v.InferOutput<typeof ToolArtifactProposal>;
/** A proposal as callers may write it: without a repair where it is none. */
export type ToolArtifactProposalInput = v.InferInput<typeof ToolArtifactProposal>;

/** An artifact as it was registered, or reported with a success. */
export const ToolArtifact = v.pipe(
  closed({
    schema_version: v.literal(1),
    tenant: v.string(),
    namespace: v.string(),
    proposal: ToolArtifactProposal,
    artifact_digest: hexDigest(),
    source_digest: hexDigest(),
    dependency_digest: hexDigest(),
    actor: ToolActor,
    recorded_at_millis: integer(),
  }),
  named('ToolArtifact'),
);
export type ToolArtifact = v.InferOutput<typeof ToolArtifact>;

/** Body that registers an artifact. */
export const ToolArtifactRequest = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, artifact: ToolArtifactProposal }),
  named('ToolArtifactRequest'),
);

/** Body that asks for an artifact. */
export const ToolArtifactRead = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, artifact_id: ledgerId }),
  named('ToolArtifactRead'),
);

/** Answer with an artifact. */
export const ToolArtifactResponse = v.pipe(
  closed({ contract_version: answeredVersion, artifact: ToolArtifact }),
  named('ToolArtifactResponse'),
);
