/** The domain of learning: experiences, procedures, evaluations and tools. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { learningLines } from './lines/learning-lines.js';
import * as experienceStore from './experience/experience-store.js';
import * as readExperiences from './experience/read-experiences.js';
import * as recordExperiences from './experience/record-experiences.js';
import * as learningLists from './listing/learning-lists.js';
import * as listEntries from './listing/list-entries.js';
import * as entryStore from './policy/entry-store.js';
import * as learningEntries from './policy/learning-entries.js';
import * as admissionStore from './procedure/admission-store.js';
import * as admitEvaluation from './procedure/admit-evaluation.js';
import * as familyStore from './procedure/family-store.js';
import * as procedureStore from './procedure/procedure-store.js';
import * as proposeProcedure from './procedure/propose-procedure.js';
import * as readProcedures from './procedure/read-procedures.js';
import * as selectProcedure from './procedure/select-procedure.js';
import * as selectionStore from './procedure/selection-store.js';
import * as developTools from './tool/develop-tools.js';
import * as readTools from './tool/read-tools.js';
import * as registerTools from './tool/register-tools.js';
import * as toolStore from './tool/tool-store.js';

/** The domain of learning. Its families state all that erasures do with them. */
export const learning = defineDomain({
  modules: [
    experienceStore,
    readExperiences,
    recordExperiences,
    learningLists,
    listEntries,
    entryStore,
    learningEntries,
    admissionStore,
    admitEvaluation,
    familyStore,
    procedureStore,
    proposeProcedure,
    readProcedures,
    selectProcedure,
    selectionStore,
    developTools,
    readTools,
    registerTools,
    toolStore,
  ],
  lines: { plain: learningLines },
});
