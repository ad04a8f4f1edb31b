/** The operation that lists known subjects, and the window of subjects that a page reads. */
import { exampleVersion } from '../../contract/example-values.js';
import { isTextId } from '../../contract/schema/text.js';
import {
  defineTenantOperation,
  directoryOperation,
} from '../../kernel/operation/define-operation.js';
import {
  namespaceSlices,
  SLICE_ENTRIES,
  type WalkingRequest,
} from '../../kernel/services/sweeper.js';
import { isLive } from '../tenancy/credential/credential-policy.js';
import { credentialSlices } from '../tenancy/credential/credential-slices.js';
import { subjectsAfter } from '../tenancy/delegation/subject-store.js';
import { filteredPage } from './filtered-page.js';
import { type KnownSubject, KnownSubjectsResponse } from './schema.js';

/** A subject whose counts are still added up. */
type Counting = { -readonly [K in keyof KnownSubject]: KnownSubject[K] };

/**
 * Keeps the lowest ids above a position. One that is dropped is above all that stay, so nothing of
 * a kept one is ever lost.
 */
class SubjectWindow {
  readonly #after: string | undefined;
  readonly #size: number;
  readonly #found = new Map<string, Counting>();
  /** Ids from this one on are dropped. */
  #end: string | undefined;

  constructor({ after, size }: { readonly after: string | undefined; readonly size: number }) {
    this.#after = after;
    this.#size = size;
  }

  /** Returns the subject to count for, or `undefined` outside the window. */
  at(subject_id: string): Counting | undefined {
    const known = this.#found.get(subject_id);
    if (known !== undefined) return known;
    if (this.#after !== undefined && compareIds(subject_id, this.#after) <= 0) return undefined;
    if (this.#end !== undefined && compareIds(subject_id, this.#end) >= 0) return undefined;
    const counts = { live_credentials: 0, ended_credentials: 0, private_scopes: 0 };
    const made: Counting = { subject_id, ...counts, is_blocked: false };
    this.#found.set(subject_id, made);
    if (this.#found.size >= 2 * this.#size) this.#shrink();
    return made;
  }

  /** Returns the subjects of the window in ascending order of id. */
  subjects(): KnownSubject[] {
    this.#shrink();
    return [...this.#found.values()].sort((one, other) =>
      compareIds(one.subject_id, other.subject_id),
    );
  }

  #ordered(): string[] {
    return [...this.#found.keys()].sort(compareIds);
  }

  #shrink(): void {
    const dropped = this.#ordered().slice(this.#size);
    for (const id of dropped) this.#found.delete(id);
    this.#end = dropped[0] ?? this.#end;
  }
}

/** Compares ids in the order of their UTF-8 bytes, as keys are ordered. */
function compareIds(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/**
 * A subject is known by a credential, by a private scope or by its limits. Each page walks through
 * all of them, in slices, and keeps no more than it shows.
 */
export const listKnownSubjects = defineTenantOperation({
  ...directoryOperation,
  name: 'listKnownSubjects',
  summary: 'List the subjects of which the tenant stores anything.',
  example: { parameters: exampleVersion },
  command: {
    name: 'access subjects',
    columns: ['subject_id', 'live_credentials', 'ended_credentials', 'private_scopes'],
  },
  tag: 'Access',
  output: KnownSubjectsResponse,
  requires: { capability: 'credential_admin' },
  handler: (request) => {
    const { tenantId } = request.credential;
    const { limit, cursor } = request.input.parameters;
    return filteredPage(cursor, {
      ...{ name: 'known-subjects', tenantId, limit },
      async *slices(after) {
        const window = new SubjectWindow({ after, size: limit + 1 });
        await fill(window, request, tenantId, request.nowMs);
        yield window.subjects();
      },
      positionOf: ({ subject_id }) => subject_id,
      isPosition: isTextId,
      show: (each) => each,
    });
  },
});

async function fill(
  window: SubjectWindow,
  request: WalkingRequest,
  tenantId: string,
  nowMs: number,
): Promise<void> {
  for await (const slice of credentialSlices(request, tenantId)) {
    for (const each of slice) {
      const subject = window.at(each.spec.subject_id);
      if (subject === undefined) continue;
      if (isLive(each, nowMs)) subject.live_credentials += 1;
      else subject.ended_credentials += 1;
    }
  }
  for await (const slice of namespaceSlices(request, tenantId)) {
    for (const { parts } of slice) {
      const subject = parts[4] === null ? undefined : window.at(parts[4]);
      if (subject !== undefined) subject.private_scopes += 1;
    }
  }
  let after: string | undefined;
  do {
    const from = after;
    const slice = await request.runtime.store.read((tx) =>
      subjectsAfter(tx, tenantId, { after: from, limit: SLICE_ENTRIES }),
    );
    for (const { subjectId, isBlocked } of slice) {
      const subject = window.at(subjectId);
      if (subject !== undefined) subject.is_blocked = isBlocked;
    }
    after = slice.length < SLICE_ENTRIES ? undefined : slice.at(-1)?.subjectId;
    if (after !== undefined) await request.turn();
  } while (after !== undefined);
}
