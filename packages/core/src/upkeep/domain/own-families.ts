/** The families of administration, and of the rooms below all domains. */
import { listFamilies } from '../../storage/store/family.js';
import { erasedSubjectKeys, erasedSubjects } from '../../kernel/erased/erased-subject-store.js';
import { memoryRemovals } from '../../kernel/erased/removal-store.js';
import { erasureMarks } from '../../kernel/erased/erasure-mark-store.js';
import { namespaces } from '../../kernel/access/namespace-store.js';
import {
  auditBlocks,
  auditHeads,
  auditPostings,
  auditSeams,
} from '../../kernel/audit-log/audit-store.js';
import { erasures, runningErasures } from '../stored/erasure-store.js';
import { storageQuotas } from '../stored/quota-store.js';
import { rateLimitPolicies } from '../../kernel/rate-limit-policies/rate-limit-store.js';
import { tallies, tallySlots } from '../stored/tally-store.js';
import { markers } from '../../kernel/installation/marker-store.js';
import { idFloor } from '../../kernel/services/durable-ids.js';
import { sealedTenants, sealing } from '../../storage/sealing/tenant-marks.js';
import { epochFamily } from '../../storage/store/position.js';

/** All families of administration, and of the rooms below all domains. */
export const ownFamilies = listFamilies(
  erasureMarks,
  erasedSubjectKeys,
  erasedSubjects,
  memoryRemovals,
  namespaces,
  auditHeads,
  auditBlocks,
  auditPostings,
  auditSeams,
  erasures,
  runningErasures,
  storageQuotas,
  rateLimitPolicies,
  tallySlots,
  tallies,
  markers,
  idFloor,
  sealing,
  sealedTenants,
  epochFamily,
);
