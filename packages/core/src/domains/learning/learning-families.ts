/** The families of learning. */
import { listFamilies } from '../../storage/store/family.js';
import { experienceEvents, experiences } from './experience/experience-store.js';
import { learningContexts, learningPolicies } from './policy/entry-store.js';
import { learningAdmissions, learningEvidence } from './procedure/admission-store.js';
import { candidateFamilies } from './procedure/family-store.js';
import { learningProcedures, learningProposals } from './procedure/procedure-store.js';
import { learningSelection } from './procedure/selection-store.js';
import {
  toolArtifacts,
  toolDevelopmentEvents,
  toolDevelopments,
  toolExecutors,
} from './tool/tool-store.js';

/** All families of learning. */
export const learningFamilies = listFamilies(
  experiences,
  experienceEvents,
  learningPolicies,
  learningContexts,
  learningAdmissions,
  learningEvidence,
  candidateFamilies,
  learningProposals,
  learningProcedures,
  learningSelection,
  toolExecutors,
  toolArtifacts,
  toolDevelopments,
  toolDevelopmentEvents,
);
