/** The domain of learning: experiences, procedures, evaluations and tools. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import {
  readExperience,
  readExperienceEvent,
  readExperienceHistory,
} from './experience/read-experiences.js';
import { recordExperienceEvent, registerExperience } from './experience/record-experiences.js';
import { learningFamilies } from './learning-families.js';
import { learningLines } from './lines/learning-lines.js';
import {
  listEvaluations,
  listExperiences,
  listProcedures,
  listToolArtifacts,
  listToolDevelopmentEvents,
  listToolDevelopments,
} from './listing/learning-lists.js';
import { listLearningContexts, listLearningPolicies } from './listing/list-entries.js';
import {
  getLearningContext,
  getLearningPolicy,
  registerLearningContext,
  registerLearningPolicy,
} from './policy/learning-entries.js';
import { admitEvaluation } from './procedure/admit-evaluation.js';
import { proposeProcedure } from './procedure/propose-procedure.js';
import { readEvaluationAdmission, readProcedure } from './procedure/read-procedures.js';
import { selectProcedure } from './procedure/select-procedure.js';
import { recordToolDevelopmentEvent, requestToolDevelopment } from './tool/develop-tools.js';
import {
  readToolArtifact,
  readToolDevelopment,
  readToolDevelopmentEvent,
  readToolExecutor,
} from './tool/read-tools.js';
import { registerToolArtifact, registerToolExecutor } from './tool/register-tools.js';

/** These operations by name. */
const learningOperations = {
  registerLearningPolicy,
  getLearningPolicy,
  registerLearningContext,
  getLearningContext,
  proposeProcedure,
  readProcedure,
  admitEvaluation,
  readEvaluationAdmission,
  selectProcedure,
  listProcedures,
  listEvaluations,
  listLearningPolicies,
  listLearningContexts,
  registerToolExecutor,
  readToolExecutor,
  registerToolArtifact,
  readToolArtifact,
  requestToolDevelopment,
  readToolDevelopment,
  recordToolDevelopmentEvent,
  readToolDevelopmentEvent,
  listToolArtifacts,
  listToolDevelopments,
  listToolDevelopmentEvents,
  registerExperience,
  readExperience,
  recordExperienceEvent,
  readExperienceEvent,
  readExperienceHistory,
  listExperiences,
} as const;

/** The domain of learning. Its families state all that erasures do with them. */
export const learning = defineDomain({
  families: learningFamilies,
  operations: learningOperations,
  lines: { plain: learningLines },
});
