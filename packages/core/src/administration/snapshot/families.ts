/** The layouts of all families, with which any stored value can be decoded. */
import { erasureMarkSubspaces } from '../../access/erasure-mark-store.js';
import { namespaceSubspaces } from '../../access/namespace-store.js';
import { administratorSubspaces } from '../../identity/credential/administrator-store.js';
import { accountSubspaces } from '../../people/account/account-store.js';
import { apiKeySubspaces } from '../../people/api-key/api-key-store.js';
import { connectionSubspaces } from '../../people/connection/connection-store.js';
import { grantEntrySubspaces } from '../../people/connection/grant-entry-store.js';
import { grantSlotSubspaces } from '../../people/connection/grant-slots.js';
import { erasureSubspaces } from '../erasure/erasure-store.js';
import { seamSubspaces } from '../audit/seam-store.js';
import { auditSubspaces } from '../audit/audit-store.js';
import { credentialSubspaces } from '../../identity/credential/credential-store.js';
import { admissionSubspaces } from '../../learning/procedure/admission-store.js';
import { entrySubspaces } from '../../learning/policy/entry-store.js';
import { learningFamilySubspaces } from '../../learning/procedure/family-store.js';
import { procedureSubspaces } from '../../learning/procedure/procedure-store.js';
import { selectionSubspaces } from '../../learning/procedure/selection-store.js';
import { experienceSubspaces } from '../../learning/experience/experience-store.js';
import { lockoutSubspaces } from '../../people/lockout/lockout-store.js';
import { markerSubspaces } from '../../runtime/installation/marker-store.js';
import { keyRequirementSubspaces } from '../../identity/credential/key-requirement-store.js';
import { issuerSubspaces } from '../../identity/federation/issuer-store.js';
import { subjectSubspaces } from '../../identity/delegation/subject-store.js';
import { globalCredentialSubspaces } from '../../identity/global-credential/global-credential-store.js';
import { branchSubspaces } from '../../memory/branch/branch-store.js';
import { endedBranchSubspaces } from '../../memory/branch/ended-store.js';
import { proposalSubspaces } from '../../memory/branch/proposal-store.js';
import { mergeSubspaces } from '../../memory/branch/merge-store.js';
import { erasedSubjectSubspaces } from '../../identity/admission/erased-subject-store.js';
import { erasedReceiptSubspaces } from '../../memory/record/erased-receipt-store.js';
import { batchSubspaces } from '../../memory/record/batch-receipt-store.js';
import { consumerSubspaces } from '../../memory/consumers/consumer-store.js';
import { changeSubspaces } from '../../memory/journal/change-store.js';
import { memorySubspaces } from '../../memory/record/memory-store.js';
import { retentionSubspaces } from '../../memory/retention/retention-store.js';
import { spaceSubspaces } from '../../memory/spaces/space-store.js';
import { revisionSubspaces } from '../../memory/revision/revision-store.js';
import { removalSubspaces } from '../../memory/record/removal-store.js';
import { sourceSubspaces } from '../../memory/record/source-store.js';
import { traceSubspaces } from '../../memory/record/trace-store.js';
import { sweepSubspaces } from '../../memory/retention/sweep-store.js';
import { programCredentialSubspaces } from '../../identity/program-credential/program-credential-store.js';
import { quotaSubspaces } from '../quota/quota-store.js';
import { rateLimitSubspaces } from '../rate-limit/rate-limit-store.js';
import { idSubspaces } from '../../runtime/services/durable-ids.js';
import { signInSettingsSubspaces } from '../../people/sign-in/settings-store.js';
import { signInUseSubspaces } from '../../people/sign-in/use-store.js';
import { sessionSubspaces } from '../../people/session/session-store.js';
import { tallySubspaces } from '../stats/tally-store.js';
import { sealingSubspaces } from '../../storage/sealing/tenant-marks.js';
import type { Entry } from '../../storage/store/store.js';
import type { FamilyName } from '../families/family-facts.js';
import { epochFamily } from '../../storage/store/position.js';
import { tenantSubspaces } from '../../identity/tenant/tenant-store.js';
import { toolSubspaces } from '../../learning/tool/tool-store.js';
import { deliverySubspaces } from '../../webhooks/delivery-store.js';
import { webhookSubspaces } from '../../webhooks/webhook-store.js';
import { revocationSubspaces } from '../../people/token/revocation-store.js';
import { signingKeySubspaces } from '../../people/token/signing-key-store.js';

/** The part of a subspace that checks need. */
export interface FamilySubspace {
  /**
   * Decodes a value.
   * @throws {AgentkeepError} `storage_inconsistency`
   */
  open(key: Uint8Array, sealed: Uint8Array): unknown;
  /** Encodes a value. Both it and the parts of its key are of the types of the subspace. */
  seal(value: never, tenant: string, ...parts: never[]): Entry;
}

/** Every subspace with its layout. A missing one doesn't compile. */
export const familySubspaces: Readonly<Record<FamilyName, FamilySubspace>> = {
  ...tenantSubspaces,
  ...credentialSubspaces,
  ...issuerSubspaces,
  ...programCredentialSubspaces,
  ...subjectSubspaces,
  ...keyRequirementSubspaces,
  ...namespaceSubspaces,
  ...erasureMarkSubspaces,
  ...erasureSubspaces,
  ...memorySubspaces,
  ...removalSubspaces,
  ...batchSubspaces,
  ...changeSubspaces,
  epoch: epochFamily,
  ...revisionSubspaces,
  ...sourceSubspaces,
  ...traceSubspaces,
  ...consumerSubspaces,
  ...retentionSubspaces,
  ...spaceSubspaces,
  ...sweepSubspaces,
  ...branchSubspaces,
  ...endedBranchSubspaces,
  ...proposalSubspaces,
  ...mergeSubspaces,
  ...webhookSubspaces,
  ...deliverySubspaces,
  ...auditSubspaces,
  ...seamSubspaces,
  ...erasedReceiptSubspaces,
  ...erasedSubjectSubspaces,
  ...idSubspaces,
  ...apiKeySubspaces,
  ...connectionSubspaces,
  ...grantEntrySubspaces,
  ...grantSlotSubspaces,
  ...accountSubspaces,
  ...administratorSubspaces,
  ...globalCredentialSubspaces,
  ...sessionSubspaces,
  ...signInSettingsSubspaces,
  ...signInUseSubspaces,
  ...revocationSubspaces,
  ...signingKeySubspaces,
  ...lockoutSubspaces,
  ...rateLimitSubspaces,
  ...quotaSubspaces,
  ...markerSubspaces,
  ...tallySubspaces,
  ...entrySubspaces,
  ...procedureSubspaces,
  ...selectionSubspaces,
  ...learningFamilySubspaces,
  ...admissionSubspaces,
  ...toolSubspaces,
  ...experienceSubspaces,
  ...sealingSubspaces,
};
