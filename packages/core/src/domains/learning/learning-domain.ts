/** Learning: policies, procedures, tools and experiences. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { learningFamilies } from './learning-families.js';
import { learningOperations } from './learning-operations.js';
import { learningLines } from './lines/learning-lines.js';

/** The domain of learning. Its families state all that erasures do with them. */
export const learning = defineDomain({
  families: learningFamilies,
  operations: learningOperations,
  lines: { plain: learningLines },
});
