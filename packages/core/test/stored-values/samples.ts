/** At least one value of every subspace, sealed under a fixed key. */
import { tallies, tallySlots } from '../../src/upkeep/stored/tally-store.js';
import {
  memoryBatchReceipts,
  memoryReceipts,
} from '../../src/domains/memory/record/receipt-store.js';
import { namespaces } from '../../src/kernel/access/namespace.js';
import { auditBlocks, auditHeads, auditPostings } from '../../src/kernel/audit-log/audit-store.js';
import { storageQuotas } from '../../src/upkeep/stored/quota-store.js';
import { rateLimitPolicies } from '../../src/kernel/rate-limit-policies/rate-limit-store.js';
import { tenantDirectory, tenants } from '../../src/domains/tenancy/tenant/tenant-store.js';
import { memoryRemovals } from '../../src/kernel/erased/removal-store.js';
import {
  memoryChangeFloors,
  memoryChanges,
} from '../../src/domains/memory/journal/change-store.js';
import { sealedTenants, sealing } from '../../src/storage/sealing/tenant-marks.js';
import { epochFamily, positionOf } from '../../src/storage/store/position.js';
import {
  memoryNames,
  memoryRecords,
  memoryScan,
} from '../../src/domains/memory/record/memory-store.js';
import { memoryReads } from '../../src/domains/memory/record/read-store.js';
import { memoryRetention } from '../../src/domains/memory/retention/retention-store.js';
import { embeddingSpaces } from '../../src/domains/memory/spaces/embedding-spaces.js';
import { memoryPurges, memoryRevisions } from '../../src/domains/memory/revision/revision-store.js';
import { memorySweeps } from '../../src/domains/memory/retention/sweep-store.js';
import { idFloor } from '../../src/kernel/ports/ids.js';
import { servers } from '../../src/kernel/installation/level-store.js';
import { markers } from '../../src/kernel/installation/marker-store.js';
import { derivedMembers, endedMembers, ID, namespace, OTHER_ID } from './sample-documents.js';
import { erasureSamples } from './erasure-samples.js';
import { identitySamples } from './identity-samples.js';
import { learningSamples } from './learning-samples.js';
import { webhookSamples } from './webhook-samples.js';
import { peopleSamples } from './people-samples.js';
import { branchSamples } from './branch-samples.js';
import { lineageSamples } from './lineage-samples.js';
import { appendedSample, type Sample, sample } from './sample.js';
import type { FamilyName } from '../../src/domains.js';

const digest = Buffer.alloc(32, 7);

const record = {
  revision: 2,
  createdAtMillis: 1,
  modifiedAtMillis: 2,
  author: { credential_id: ID, subject_id: 'worker' },
  payload: {
    episode_type: { Custom: 'note' },
    content: {
      primary: 'Größe "1"',
      secondary: null,
      context: 'ctx',
      data: { b: [1, null], a: true },
      embedding: [0.5, -1.25, 3],
    },
    event_time_millis: -5,
    valid_until_millis: 9_000_000_000_000,
    tags: ['x', 'y'],
    metadata: { k: 'v' },
  },
  name: 'notes/größe',
  keptUntilMillis: null,
  idempotencyKey: OTHER_ID,
};

const plainRecord = {
  ...record,
  name: null,
  payload: {
    ...record.payload,
    episode_type: 'Decision' as const,
    content: { ...record.payload.content, data: null, embedding: null },
    valid_until_millis: null,
  },
};

const embeddedRecord = { ...plainRecord, attached: new Map([['default', [0.5, -1.25]]]) };
const twiceEmbedded = {
  ...plainRecord,
  attached: new Map([...embeddedRecord.attached, ['voyage-3', [1, 2, 3]]]),
};
const embeddedElsewhere = { ...plainRecord, attached: new Map([['voyage-3', [1, 2, 3]]]) };

const derivedRecord = { ...plainRecord, payload: { ...plainRecord.payload, ...derivedMembers } };
const endedRecord = { ...plainRecord, payload: { ...plainRecord.payload, ...endedMembers } };

const tombstone = { ...record, payload: null, name: null };

const keptTombstone = { ...tombstone, keptUntilMillis: 99, idempotencyKey: 'Größe 1' };

const firstRecord = {
  ...plainRecord,
  revision: 1,
  createdAtMillis: 2,
  idempotencyKey: null,
};

const longRecord = { ...plainRecord, revision: 300 };

/** The stored tombstone, with the version of its layout. */
const storedTombstone = Buffer.from(
  [
    '03',
    '15023ff0000000000000400000000000000001934f2a7c1b7000800000000000000101934f2a7c1b7000',
    '80000000000000025b22776f726b6572222c6e756c6c5d',
  ].join(''),
  'hex',
);

const setting = {
  revisionsMax: 5,
  revisionDays: null,
  deletedDays: null,
  lifetimeSeconds: 60,
  expiredDays: null,
  readDays: 7,
};

const searchParts = {
  type: 'Error',
  tags: ['x', 'yy'],
  texts: ['ä', '', 'c'],
  validUntilMillis: 12,
  eventMillis: 3,
};

const auditFields = [
  ID,
  'login',
  1,
  null,
  'ann',
  'login',
  '/login',
  'success',
  '::1',
  null,
  { a: 1 },
];

const block = {
  recordedAtMillis: 5,
  previous: 'previous',
  quota: 'calls' as const,
  ordinal: 3,
  events: [{ link: 'link', text: JSON.stringify(auditFields) }],
};

const samplePolicy = {
  ...{ id: ID, name: 'writes', endpointType: { Custom: '/x' }, maxRequests: 10 },
  ...{ windowSecs: 60, enabled: true, createdAtMillis: 1, updatedAtMillis: 2 },
  createdBy: 'system',
};

const sampleQuota = {
  ...{ tenantId: 'acme', maxEntries: 10, maxBytes: null, entries: 3, bytes: 200 },
  countedTo: Buffer.from('acme\0'),
};

/** The samples of each subspace. A subspace without samples does not compile. */
export const samples: Readonly<Record<FamilyName, readonly Sample[]>> = {
  ...erasureSamples,
  epoch: [sample(epochFamily, { epoch: 1_700_000_000_000, source: 5 }, '')],
  embeddingSpaces: [
    sample(
      embeddingSpaces,
      {
        defaultName: 'voyage-3',
        spaces: [
          { name: 'voyage-3', dimension: 1024, sinceMillis: 5, droppedThrough: null },
          { name: 'default', dimension: null, sinceMillis: 0, droppedThrough: ID },
        ],
      },
      'acme',
      digest,
    ),
  ],
  memoryChanges: (['created', 'updated', 'deleted'] as const).map((action, index) =>
    appendedSample(
      memoryChanges,
      {
        digest: new Uint8Array(32).fill(7),
        recordId: ID,
        revision: index + 1,
        action,
        committedAtMillis: 12,
      },
      'acme',
    ),
  ),
  sealing: (
    [
      { keys: ID, isComplete: true },
      { keys: ID, isComplete: false, after: 'a2V5' },
    ] as const
  ).map((state) => sample(sealing, state, '')),
  sealedTenants: [sample(sealedTenants, 'fingerprint', '', digest)],
  memoryChangeFloors: [sample(memoryChangeFloors, Uint8Array.from(positionOf(3, 2, 1)), 'acme')],
  tenants: [
    sample(
      tenants,
      {
        tenantId: 'acme',
        createdAtMillis: 1,
        initialAdminId: ID,
        registered: { by: OTHER_ID, displayName: 'Acme' },
      },
      '',
      'acme',
    ),
    sample(
      tenants,
      {
        tenantId: 'acme',
        createdAtMillis: 1,
        initialAdminId: ID,
        registered: { by: OTHER_ID, displayName: null },
      },
      '',
      'acme',
    ),
    sample(
      tenants,
      { tenantId: 'acme', createdAtMillis: 1, initialAdminId: ID, registered: null },
      '',
      'acme',
    ),
    sample(
      tenants,
      { tenantId: 'acme', createdAtMillis: 1, initialAdminId: null, registered: null },
      '',
      'acme',
    ),
  ],
  tenantDirectory: [sample(tenantDirectory, 'acme', '', '"acme"')],
  ...identitySamples,
  namespaces: [sample(namespaces, namespace.parts, 'acme', namespace.digest)],
  memoryRecords: [
    record,
    plainRecord,
    tombstone,
    keptTombstone,
    firstRecord,
    longRecord,
    embeddedRecord,
    twiceEmbedded,
    embeddedElsewhere,
    derivedRecord,
    endedRecord,
  ].map((value) => sample(memoryRecords, value, 'acme', digest, ID)),
  memoryRevisions: [null, { atMillis: 7, author: record.author }].map((redaction) =>
    sample(
      memoryRevisions,
      { supersededAtMillis: 6, redaction, record: storedTombstone },
      'acme',
      digest,
      ID,
      2,
    ),
  ),
  memoryReads: [
    sample(
      memoryReads,
      {
        lastAtMillis: 9,
        days: [
          [3, 2],
          [4, 1],
        ],
      },
      'acme',
      digest,
      ID,
      'ann',
    ),
  ],
  memoryRetention: [
    { revision: 1, scope: null, hasScopes: true, setting, review: null },
    {
      revision: 2,
      scope: namespace.parts,
      hasScopes: false,
      setting: { ...setting, deletedDays: 3 },
      review: null,
    },
    { revision: 1, scope: null, hasScopes: false, setting, review: 'required' as const },
  ].map((value) => sample(memoryRetention, value, 'acme', digest)),
  ...lineageSamples,
  memoryPurges: [sample(memoryPurges, null, 'acme', 5, digest, ID)],
  ...webhookSamples,
  memorySweeps: [
    sample(
      memorySweeps,
      {
        startedAtMillis: 1,
        finishedAtMillis: null,
        stage: 'records',
        from: 'ff',
        revisions: 2,
        records: 3,
      },
      'acme',
    ),
  ],
  ...branchSamples,
  memoryRemovals: [sample(memoryRemovals, 2, 'acme', digest)],
  memoryScan: [
    sample(memoryScan, { revision: 2, parts: searchParts }, 'acme', digest, ID),
    sample(memoryScan, { revision: 3, parts: null }, 'acme', digest, ID),
  ],
  memoryReceipts: [
    sample(
      memoryReceipts,
      {
        fingerprint: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k',
        recordId: ID,
        revision: 1,
        action: 'created',
        committedAtMillis: 5,
        credentialId: OTHER_ID,
      },
      'acme',
      digest,
      'worker',
      'key',
    ),
  ],
  auditHeads: [
    sample(
      auditHeads,
      {
        authority: 'acme',
        next: 9,
        recordedAtMillis: 5,
        lagMillis: 6,
        chains: {
          changes: { first: 1, next: 4, link: 'link', lastId: ID, oldestEnd: 2, oldestMillis: 3 },
          writes: null,
          logins: null,
          calls: null,
        },
      },
      '',
      'acme',
    ),
  ],
  auditBlocks: [sample(auditBlocks, block, 'acme', 4, ID)],
  auditPostings: [sample(auditPostings, [], 'acme', 'username', 'ann', 4)],
  idFloor: [sample(idFloor, 1234, '')],
  rateLimitPolicies: [
    sample(rateLimitPolicies, samplePolicy, '', ID),
    sample(rateLimitPolicies, { ...samplePolicy, revision: 3 }, '', ID),
  ],
  storageQuotas: [
    sample(storageQuotas, { ...sampleQuota, revision: null }, '', 'acme'),
    sample(storageQuotas, { ...sampleQuota, revision: 7 }, '', 'acme'),
  ],
  memoryBatchReceipts: [
    sample(
      memoryBatchReceipts,
      {
        fingerprint: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k',
        credentialId: OTHER_ID,
        committedAtMillis: 5,
        outcomes: [
          { recordId: ID, revision: 1, action: 'created' },
          { recordId: OTHER_ID, revision: 7, action: 'deleted' },
        ],
      },
      'acme',
      'worker',
      'key',
    ),
  ],
  memoryNames: [sample(memoryNames, ID, 'acme', digest, 'notes/größe')],
  markers: [sample(markers, { a: 'b' }, '', 'security_settings')],
  servers: [
    sample(
      servers,
      { version: '1.2.3', oldest: 1, newest: 2, startedAtMillis: 3, seenAtMillis: 4 },
      '',
      'a'.repeat(32),
    ),
  ],
  tallies: [
    sample(tallies, { number: 0, end: 'ff00' }, '', 'state'),
    sample(tallies, { number: 5, end: null }, '', 'accounts'),
  ],
  tallySlots: [sample(tallySlots, [1, 0, -2], '', 3)],
  ...peopleSamples,
  ...learningSamples,
};
