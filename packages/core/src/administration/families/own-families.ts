/** The families of administration, and of the rooms below all domains. */
import { listFamilies } from '../../storage/store/family.js';
import { erasureMarks } from '../../access/erasure-mark-store.js';
import { namespaces } from '../../access/namespace-store.js';
import { auditBlocks, auditHeads, auditPostings } from '../audit/audit-store.js';
import { auditSeams } from '../audit/seam-store.js';
import { erasures, runningErasures } from '../stored/erasure-store.js';
import { storageQuotas } from '../stored/quota-store.js';
import { rateLimitPolicies } from '../stored/rate-limit-store.js';
import { tallySlots } from '../stored/tally-slots.js';
import { tallies } from '../stored/tally-store.js';
import { markers } from '../../runtime/installation/marker-store.js';
import { idFloor } from '../../runtime/services/durable-ids.js';
import { sealedTenants, sealing } from '../../storage/sealing/tenant-marks.js';
import { epochFamily } from '../../storage/store/position.js';

/** All families of administration, and of the rooms below all domains. */
export const ownFamilies = listFamilies(
  erasureMarks,
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
