/** The lines of exports, and which families have them. */
import { families, type FamilyName } from './families.js';

/** The lines of exports, by the member `line` that each has. */
export const lineNames = [
  'scope',
  'branch',
  'record',
  'revision',
  'redacted_source',
  'embedding_spaces',
  'policy',
  'context',
  'procedure',
  'procedure_state',
  'candidate',
  'evaluation',
  'executor',
  'artifact',
  'development',
  'development_event',
  'attempt',
  'attempt_event',
] as const;

/** The name of a kind of line. */
export type LineName = (typeof lineNames)[number];

/** Returns the line that shows the entries of a family; `undefined` if it has none of its own. */
export function lineOf(family: FamilyName): LineName | undefined {
  const { exported } = families[family].facts;
  if (exported === 'derived' || !('line' in exported)) return undefined;
  const found = lineNames.find((line) => line === exported.line);
  if (found === undefined) throw new TypeError(`${family} is exported as an unknown line.`);
  return found;
}
