/** `listSubjects`: pages through the subjects of which something is stored. */
import { exampleVersion } from '../../../contract/example-values.js';
import { isTextId } from '../../../contract/schema/text.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { directoryOperation } from '../../../kernel/operation/directory-operation.js';
import { DirectorySubjectsResponse } from './schema.js';
import { showSubject } from './show-subject.js';
import { subjectsAfter } from './subject-store.js';

/** Lists in ascending order of id, forward only. Pages reflect concurrent changes. */
export const listSubjects = defineTenantOperation({
  ...directoryOperation,
  name: 'listSubjects',
  summary: 'List the subjects that have limits or are blocked.',
  example: { parameters: exampleVersion },
  command: {
    name: 'subjects list',
    columns: ['subject_id', 'is_blocked', 'revision', 'updated_at_millis', 'capabilities'],
  },
  tag: 'Identity',
  output: DirectorySubjectsResponse,
  requires: { capability: 'credential_admin' },
  handler: ({ runtime, credential: { tenantId }, input }) =>
    listDirectory(runtime.store, input.parameters, {
      identity: { list: 'subjects', tenantId },
      read: (tx, page) => subjectsAfter(tx, tenantId, page),
      show: (_tx, subject) => showSubject(subject),
      placeOf: ({ subjectId }) => subjectId,
      isPlace: isTextId,
    }),
});
