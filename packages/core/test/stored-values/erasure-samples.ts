/** Samples of stored erasures. */
import { erasureMarks } from '../../src/kernel/erased/erasure-mark-store.js';
import { auditSeams } from '../../src/kernel/audit-log/audit-store.js';
import { erasures, runningErasures } from '../../src/upkeep/stored/erasure-store.js';
import { erasedSubjectKeys, erasedSubjects } from '../../src/kernel/erased/erased-subject-store.js';
import {
  erasedReceiptKeys,
  erasedReceipts,
} from '../../src/domains/memory/record/receipt-store.js';
import { ID, OTHER_ID } from './sample-documents.js';
import { sample } from './sample.js';

const asked = {
  id: ID,
  tenantId: 'acme',
  kind: 'subject',
  names: ['ann@example.test'],
  targetKey: 'key',
  targetDigest: 'digest',
  pseudonym: 'erased-x',
  requestedBy: OTHER_ID,
  requestedAtMillis: 5,
  keysDigest: 'ab',
} as const;

/** The samples of the subspaces of erasures. */
export const erasureSamples = {
  erasures: [
    sample(
      erasures,
      {
        ...asked,
        target: { kind: 'subject', subject_id: 'user-1' },
        step: 3,
        from: '0102',
        counts: { memoryRecords: 2 },
        dependents: 0,
        keys: null,
        finishedAtMillis: null,
        certificate: null,
        refusedIds: [],
      },
      'acme',
      ID,
    ),
    sample(
      erasures,
      {
        ...asked,
        target: null,
        step: 9,
        from: null,
        counts: {},
        dependents: 1,
        keys: ['00112233445566778899aabbccddeeff'],
        finishedAtMillis: 6,
        certificate: 'a.b.c',
        refusedIds: [['a2V5', 'ZGlnZXN0']],
      },
      'acme',
      OTHER_ID,
    ),
  ],
  auditSeams: [
    sample(
      auditSeams,
      { erasureId: ID, at: 9, chains: { changes: { next: 4, link: 'l' } } },
      'acme',
    ),
  ],
  runningErasures: [sample(runningErasures, ['acme', ID], '', 'acme', ID)],
  erasedReceiptKeys: [sample(erasedReceiptKeys, 'a2V5', 'acme')],
  erasedReceipts: [sample(erasedReceipts, null, 'acme', new Uint8Array(32))],
  erasureMarks: [sample(erasureMarks, [ID], 'acme', new Uint8Array(32))],
  erasedSubjectKeys: [sample(erasedSubjectKeys, ['a2V5'], 'acme')],
  erasedSubjects: [sample(erasedSubjects, null, 'acme', new Uint8Array(32))],
};
