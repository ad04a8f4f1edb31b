/** Operations on policies, procedures, tools and experiences. */
import { readExperienceEvent } from './experience/read-experience-event.js';
import { readExperienceHistory } from './experience/read-experience-history.js';
import { readExperience } from './experience/read-experience.js';
import { recordExperienceEvent } from './experience/record-experience-event.js';
import { registerExperience } from './experience/register-experience.js';
import { listLearningPolicies, listLearningContexts } from './listing/list-entries.js';
import { listEvaluations } from './listing/list-evaluations.js';
import { listExperiences } from './listing/list-experiences.js';
import { listProcedures } from './listing/list-procedures.js';
import { listToolArtifacts } from './listing/list-tool-artifacts.js';
import { listToolDevelopmentEvents } from './listing/list-tool-development-events.js';
import { listToolDevelopments } from './listing/list-tool-developments.js';
import { getLearningPolicy, getLearningContext } from './policy/get-learning-entry.js';
import {
  registerLearningPolicy,
  registerLearningContext,
} from './policy/register-learning-entry.js';
import { admitEvaluation } from './procedure/admit-evaluation.js';
import { proposeProcedure } from './procedure/propose-procedure.js';
import { readEvaluationAdmission } from './procedure/read-evaluation-admission.js';
import { readProcedure } from './procedure/read-procedure.js';
import { selectProcedure } from './procedure/select-procedure.js';
import { readToolArtifact } from './tool/read-tool-artifact.js';
import { readToolDevelopmentEvent } from './tool/read-tool-development-event.js';
import { readToolDevelopment } from './tool/read-tool-development.js';
import { readToolExecutor } from './tool/read-tool-executor.js';
import { recordToolDevelopmentEvent } from './tool/record-tool-development-event.js';
import { registerToolArtifact } from './tool/register-tool-artifact.js';
import { registerToolExecutor } from './tool/register-tool-executor.js';
import { requestToolDevelopment } from './tool/request-tool-development.js';

/** These operations by name. */
export const learningOperations = {
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
