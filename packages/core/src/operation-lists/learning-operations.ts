/** Operations on policies, procedures, tools and experiences. */
import { readExperienceEvent } from '../domains/learning/experience/read-experience-event.js';
import { readExperienceHistory } from '../domains/learning/experience/read-experience-history.js';
import { readExperience } from '../domains/learning/experience/read-experience.js';
import { recordExperienceEvent } from '../domains/learning/experience/record-experience-event.js';
import { registerExperience } from '../domains/learning/experience/register-experience.js';
import {
  listLearningPolicies,
  listLearningContexts,
} from '../domains/learning/listing/list-entries.js';
import { listEvaluations } from '../domains/learning/listing/list-evaluations.js';
import { listExperiences } from '../domains/learning/listing/list-experiences.js';
import { listProcedures } from '../domains/learning/listing/list-procedures.js';
import { listToolArtifacts } from '../domains/learning/listing/list-tool-artifacts.js';
import { listToolDevelopmentEvents } from '../domains/learning/listing/list-tool-development-events.js';
import { listToolDevelopments } from '../domains/learning/listing/list-tool-developments.js';
import {
  getLearningPolicy,
  getLearningContext,
} from '../domains/learning/policy/get-learning-entry.js';
import {
  registerLearningPolicy,
  registerLearningContext,
} from '../domains/learning/policy/register-learning-entry.js';
import { admitEvaluation } from '../domains/learning/procedure/admit-evaluation.js';
import { proposeProcedure } from '../domains/learning/procedure/propose-procedure.js';
import { readEvaluationAdmission } from '../domains/learning/procedure/read-evaluation-admission.js';
import { readProcedure } from '../domains/learning/procedure/read-procedure.js';
import { selectProcedure } from '../domains/learning/procedure/select-procedure.js';
import { readToolArtifact } from '../domains/learning/tool/read-tool-artifact.js';
import { readToolDevelopmentEvent } from '../domains/learning/tool/read-tool-development-event.js';
import { readToolDevelopment } from '../domains/learning/tool/read-tool-development.js';
import { readToolExecutor } from '../domains/learning/tool/read-tool-executor.js';
import { recordToolDevelopmentEvent } from '../domains/learning/tool/record-tool-development-event.js';
import { registerToolArtifact } from '../domains/learning/tool/register-tool-artifact.js';
import { registerToolExecutor } from '../domains/learning/tool/register-tool-executor.js';
import { requestToolDevelopment } from '../domains/learning/tool/request-tool-development.js';

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
