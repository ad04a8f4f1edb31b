/** Hints on the meaning of members beyond their schemas, so that requests can succeed. */
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import type { Caller } from './caller.js';
import type { Chooser } from './chooser.js';
import type { Json, JsonObject } from './json-text.js';
import { markOf } from './marks.js';
import type { Hint } from './schema-value.js';
import { freshPassword, freshText } from './texts.js';

/** The image of all executors and artifacts, so that they match. */
const IMAGE = `sha256:${'a'.repeat(64)}`;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Signs the assertions of all workloads. Signatures of its kind are the same each time. */
const issuer = testIssuer('k1', 'ed25519');
const AUDIENCE = 'agentkeep';
const WORKLOADS = 'job-';
const HOUR_SECS = 3_600;

const absent: Hint = (chooser) => (chooser.chance(0.9) ? null : undefined);
const always =
  (value: Json): Hint =>
  (chooser) =>
    chooser.chance(0.95) ? value : undefined;

/** Like {@link always}, with more exceptions. Links replace some members later. */
const often =
  (value: JsonObject): Hint =>
  (chooser) =>
    chooser.chance(0.8) ? structuredClone(value) : undefined;

function assertionOf(chooser: Chooser, nowMs: number): string {
  const exp = Math.floor(nowMs / 1_000) + HOUR_SECS;
  return issuer.sign({ aud: AUDIENCE, sub: WORKLOADS + chooser.hex(4), exp });
}

/** Returns the hints for requests of a caller at a time in Unix milliseconds. */
export function hintsFor(caller: Caller, nowMs: number): Readonly<Record<string, Hint>> {
  const ownSubject = always(caller.subjectId);
  const ownScope: Hint = (chooser) => {
    const [first] = caller.scopes;
    return first === undefined ? undefined : { ...(chooser.pick(caller.scopes) as object) };
  };
  const marked: Hint = (chooser) => `${markOf(caller.authority)} ${freshText(chooser)}`;
  return {
    Scope: ownScope,
    MemoryScope: (chooser) => (chooser.chance(0.9) ? ownScope(chooser, {}) : undefined),
    // An erased subject stays refused, so hardly any of the callers is erased.
    ErasureTarget: (chooser) =>
      chooser.chance(0.97) ? { kind: 'subject', subject_id: freshText(chooser) } : undefined,
    // Keys inside of the document, since no issuer can be fetched from.
    PutIssuerRequest: often({
      contract_version: 1,
      expected_revision: 0,
      audience: AUDIENCE,
      keys: { mode: 'inline', keys: [issuer.key as JsonObject] },
    }),
    FederationRuleRequest: often({ issuer: '', sub: { mode: 'prefix', prefix: WORKLOADS } }),
    assertion: (chooser) => (chooser.chance(0.8) ? assertionOf(chooser, nowMs) : undefined),
    expected_revision: (chooser) => (chooser.chance(0.3) ? 0 : undefined),
    evaluator_id: ownSubject,
    reporter_subject_id: ownSubject,
    evaluation_contract: always('bench'),
    baseline_revision: always('base'),
    runtime_image_digest: always(IMAGE),
    scope_policy: absent,
    primary: marked,
    instructions: marked,
    objective: marked,
    parent: absent,
    parent_artifact_id: absent,
    repair_evidence_ref: absent,
    after: absent,
    url: always('https://hooks.example.com/'),
    credential_id: absent,
    expires_at_millis: (chooser) =>
      chooser.chance(0.6) ? null : nowMs + chooser.pick([MINUTE_MS, DAY_MS, 40 * DAY_MS]),
    valid_until_millis: (chooser) => (chooser.chance(0.6) ? null : nowMs + 3_600_000),
    password: freshPassword,
    new_password: freshPassword,
    current_password: (chooser) => caller.login?.password ?? freshPassword(chooser),
    email: (chooser) => (chooser.chance(0.5) ? null : `${chooser.hex(12)}@example.org`),
    text_contains: (chooser) => (chooser.chance(0.5) ? null : chooser.hex(1)),
    subject_id: (chooser) => (chooser.chance(0.7) ? caller.subjectId : freshText(chooser)),
    status: always('complete'),
    phase: always('Qualification'),
    qualification_trials: always(2),
    confidence_delta: always(0.4),
    max_cost_units: always(1_000),
    max_latency_ms: always(1_000),
    candidate_cost_units: (chooser) => chooser.between(0, 900),
    candidate_latency_ms: (chooser) => chooser.between(0, 900),
    cost_units: (chooser) => (chooser.chance(0.2) ? null : chooser.between(0, 900)),
    latency_ms: (chooser) => (chooser.chance(0.2) ? null : chooser.between(0, 900)),
    max_requests: (chooser) => chooser.between(1, 50),
    source_refs: (chooser) => [freshText(chooser), ...(chooser.chance(0.5) ? ['trace:1'] : [])],
  };
}
