/** `listKnownSubjects`: pages through the subjects that a tenant knows. */
import { exampleVersion } from '../../contract/example-values.js';
import { isTextId } from '../../contract/schema/text.js';
import { directoryOperation } from '../../kernel/operation/directory-operation.js';
import { isLive } from '../tenancy/credential/credential-policy.js';
import { subjectsAfter } from '../tenancy/delegation/subject-store.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { filteredPage } from './filtered-page.js';
import { KnownSubjectsResponse } from './schema.js';
import { SubjectWindow } from './subject-window.js';
import { credentialSlices } from '../tenancy/credential/credential-slices.js';
import {
  namespaceSlices,
  SLICE_ENTRIES,
  type WalkingRequest,
} from '../../kernel/services/tenant-walk.js';

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
