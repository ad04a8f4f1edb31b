/** Documents of executors and artifacts (docs/contract/tools.md). */
import * as v from 'valibot';
import { Actor } from '../../../kernel/access/actor.js';
import { Scope } from '../../../kernel/access/scope.js';
import {
  ARTIFACT_JSON_SCHEMA_BYTES_MAX,
  ARTIFACT_LOCK_BYTES_MAX,
  ARTIFACT_SOURCE_BYTES_MAX,
  ARTIFACT_SOURCE_REFS_MAX,
} from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { isJsonObject } from '../../../contract/schema/json-value.js';
import {
  hexDigest,
  ledgerId,
  reference,
  textOf,
  utf8Bytes,
} from '../../../contract/schema/text.js';
import {
  answeredVersion,
  contractVersion,
  integer,
  withCommas,
} from '../../../contract/schema/number.js';

/** The writer of a tool document. */
export const ToolActor = v.pipe(closed(Actor.entries), named('ToolActor'));

/** The container image of a tool, by its digest. */
function imageDigest() {
  const pattern = '^sha256:[0-9a-f]{64}$';
  return v.pipe(
    v.string(),
    v.regex(new RegExp(pattern), 'sha256: and 64 lower-case hexadecimal digits'),
    describedAs({ type: 'string', pattern }),
  );
}

/** The profile of a tool developer: image and budget. It holds no address and no password. */
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

/** Body of the registration of an executor. */
export const ToolExecutorRequest = v.pipe(
  closed({ contract_version: contractVersion(), profile: ToolExecutorProfile }),
  named('ToolExecutorRequest'),
);

/** Answer with an executor. */
export const ToolExecutorResponse = v.pipe(
  closed({ contract_version: answeredVersion, executor: ToolExecutor }),
  named('ToolExecutorResponse'),
);

/** A JSON Schema of a tool. It is stored and compared as JSON, and never compiled. */
function toolSchema() {
  const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isJsonObject(value);
  return v.pipe(
    v.custom<boolean | Record<string, unknown>>(isSchema, 'a JSON Schema: an object or a boolean'),
    v.check(
      (value) => utf8Bytes(JSON.stringify(value)) <= ARTIFACT_JSON_SCHEMA_BYTES_MAX,
      `at most ${ARTIFACT_JSON_SCHEMA_BYTES_MAX} bytes as compact JSON`,
    ),
    describedAs({ anyOf: [{ type: 'object' }, { type: 'boolean' }] }),
  );
}

/** A text of bounded UTF-8 length, which may be empty. */
function lockText() {
  return v.pipe(
    v.string(),
    v.check(
      (text) => utf8Bytes(text) <= ARTIFACT_LOCK_BYTES_MAX,
      `at most ${ARTIFACT_LOCK_BYTES_MAX} UTF-8 bytes`,
    ),
    describedAs({
      type: 'string',
      maxLength: ARTIFACT_LOCK_BYTES_MAX,
      description: `At most ${withCommas(ARTIFACT_LOCK_BYTES_MAX)} UTF-8 bytes.`,
    }),
  );
}

/** The parent of a repair, and the evidence for it. */
export const repairEntries = {
  parent_artifact_id: orNull(ledgerId),
  repair_evidence_ref: orNull(reference),
};

/** Parent and evidence are both present or both absent. */
export function isWholeRepair(repair: {
  readonly parent_artifact_id: string | null;
  readonly repair_evidence_ref: string | null;
}): boolean {
  return (repair.parent_artifact_id === null) === (repair.repair_evidence_ref === null);
}

/** A proposed tool: source, dependencies, interface and origin. */
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
  v.check((it) => isWholeRepair(it), 'both members of a repair, or none'),
  v.check(({ id, parent_artifact_id }) => id !== parent_artifact_id, 'another artifact as parent'),
  named('ToolArtifactProposal'),
);
export type ToolArtifactProposal = v.InferOutput<typeof ToolArtifactProposal>;
/** The input form of a proposal; the repair may be absent. */
export type ToolArtifactProposalInput = v.InferInput<typeof ToolArtifactProposal>;

/** A registered or reported artifact. */
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

/** Body of the registration of an artifact. */
export const ToolArtifactRequest = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, artifact: ToolArtifactProposal }),
  named('ToolArtifactRequest'),
);

/** Body of a read of an artifact. */
export const ToolArtifactRead = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, artifact_id: ledgerId }),
  named('ToolArtifactRead'),
);

/** Answer with an artifact. */
export const ToolArtifactResponse = v.pipe(
  closed({ contract_version: answeredVersion, artifact: ToolArtifact }),
  named('ToolArtifactResponse'),
);
