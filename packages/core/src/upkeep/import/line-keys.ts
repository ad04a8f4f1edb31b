/** Which keys, revisions and times a line with a plain value may have. */
import * as v from 'valibot';
import { utf8Bytes } from '../../contract/schema/text.js';
import { isUuid } from '../../contract/schema/uuid.js';
import type { Experience, ExperienceEvent } from '../../domains/learning/experience/schema.js';
import { learningText } from '../../domains/learning/policy/schema.js';
import type { StoredAdmission } from '../../domains/learning/procedure/admission-store.js';
import type { StoredProposal } from '../../domains/learning/procedure/procedure-store.js';
import type {
  ToolDevelopment,
  ToolDevelopmentEvent,
} from '../../domains/learning/tool/development-schema.js';
import type { ToolArtifact, ToolExecutor } from '../../domains/learning/tool/schema.js';
import { asBuffer } from '../../storage/store/bytes.js';
import { textDigest } from '../../storage/store/key.js';
import type { PlainLine } from '../export/line-forms.js';
import { Millis, Revision, type ShownLine } from './line-schemas.js';

type Key = ShownLine['key'];

/** A part of a key that the value doesn't repeat. */
const ANY = Symbol('any');
type ExpectedKey = readonly (string | number | typeof ANY)[];

const shownDigest = (text: string): string => asBuffer(textDigest(text)).toString('base64url');

/** Returns the key of a value, as far as the value says it. */
const keys: Readonly<Record<PlainLine, (value: never) => ExpectedKey>> = {
  redacted_source: () => [ANY, ANY],
  embedding_spaces: () => [],
  policy: () => [ANY],
  context: () => [ANY],
  procedure: ({ request }: StoredProposal) => [request.id],
  procedure_state: () => [ANY],
  candidate: ({ id }: { readonly id: string }) => [ANY, id],
  evaluation: ({ submission }: StoredAdmission) => [ANY, submission.case_id],
  executor: ({ profile }: ToolExecutor) => [profile.id],
  artifact: ({ proposal }: ToolArtifact) => [proposal.id],
  development: ({ receipt }: ToolDevelopment) => [receipt.request.id],
  development_event: ({ record, command }: ToolDevelopmentEvent) => [
    shownDigest(record.receipt.request.id),
    command.event_id,
  ],
  attempt: ({ receipt }: Experience) => [receipt.request.id],
  attempt_event: ({ record, command: { event_id: id } }: ExperienceEvent) => [
    ...[shownDigest(record.receipt.request.id), utf8Bytes(id), id],
  ],
};

/** What the parts of a key have to be that the value doesn't repeat. */
const freeParts: Partial<Record<PlainLine, (key: Key) => boolean>> = {
  redacted_source: ([id, revision]) => isUuid(id) && v.is(Revision, revision),
  policy: ([id]) => v.is(learningText(), id),
  context: ([id]) => v.is(learningText(), id),
  procedure_state: ([id]) => v.is(learningText(), id),
};

/** Returns whether a key is the one of its value. */
export function isKeyOf(name: PlainLine, key: Key, value: unknown): boolean {
  const expected = keys[name](value as never);
  const isSame = expected.every((part, at) => part === ANY || part === key[at]);
  return isSame && expected.length === key.length && (freeParts[name]?.(key) ?? true);
}

/** The revisions and times in documents. Other lines have schemas of their own. */
const stated: Partial<Record<PlainLine, (value: never) => Stated>> = {
  executor: ({ recorded_at_millis }: ToolExecutor) => [[], [recorded_at_millis]],
  artifact: ({ recorded_at_millis }: ToolArtifact) => [[], [recorded_at_millis]],
  development: stateOf,
  development_event: eventOf,
  attempt: stateOf,
  attempt_event: eventOf,
};

type Stated = readonly [revisions: readonly number[], times: readonly number[]];

function stateOf({ revision, receipt }: Experience | ToolDevelopment): Stated {
  return [[revision], [receipt.recorded_at_millis]];
}

function eventOf({ record, recorded_at_millis }: ExperienceEvent | ToolDevelopmentEvent): Stated {
  const [revisions, times] = stateOf(record);
  return [revisions, [...times, recorded_at_millis]];
}

/** Returns whether the revisions and times of a value could be those of a command. */
export function isWithinBounds(name: PlainLine, value: unknown): boolean {
  const [revisions, times] = stated[name]?.(value as never) ?? [[], []];
  return (
    revisions.every((each) => v.is(Revision, each)) && times.every((each) => v.is(Millis, each))
  );
}
