/** Operations on policies, procedures, tools and experiences. */
import { readExperienceEvent } from '../learning/experience/read-experience-event.js';
import { readExperienceHistory } from '../learning/experience/read-experience-history.js';
import { readExperience } from '../learning/experience/read-experience.js';
import { recordExperienceEvent } from '../learning/experience/record-experience-event.js';
import { registerExperience } from '../learning/experience/register-experience.js';
import { listLearningPolicies, listLearningContexts } from '../learning/listing/list-entries.js';
import { listEvaluations } from '../learning/listing/list-evaluations.js';
import { listExperiences } from '../learning/listing/list-experiences.js';
import { listProcedures } from '../learning/listing/list-procedures.js';
import { listToolArtifacts } from '../learning/listing/list-tool-artifacts.js';
import { listToolDevelopmentEvents } from '../learning/listing/list-tool-development-events.js';
import { listToolDevelopments } from '../learning/listing/list-tool-developments.js';
import { getLearningPolicy, getLearningContext } from '../learning/policy/get-learning-entry.js';
import {
  registerLearningPolicy,
  registerLearningContext,
} from '../learning/policy/register-learning-entry.js';
import { admitEvaluation } from '../learning/procedure/admit-evaluation.js';
import { proposeProcedure } from '../learning/procedure/propose-procedure.js';
import { readEvaluationAdmission } from '../learning/procedure/read-evaluation-admission.js';
import { readProcedure } from '../learning/procedure/read-procedure.js';
import { selectProcedure } from '../learning/procedure/select-procedure.js';
import { readToolArtifact } from '../learning/tool/read-tool-artifact.js';
import { readToolDevelopmentEvent } from '../learning/tool/read-tool-development-event.js';
import { readToolDevelopment } from '../learning/tool/read-tool-development.js';
import { readToolExecutor } from '../learning/tool/read-tool-executor.js';
import { recordToolDevelopmentEvent } from '../learning/tool/record-tool-development-event.js';
import { registerToolArtifact } from '../learning/tool/register-tool-artifact.js';
import { registerToolExecutor } from '../learning/tool/register-tool-executor.js';
import { requestToolDevelopment } from '../learning/tool/request-tool-development.js';

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
