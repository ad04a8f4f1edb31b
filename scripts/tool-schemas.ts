/** Generates packages/mcp/tool-schemas.json: the documents of the contract that MCP tools use. */
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { generateDocument } from './openapi/generate-document.ts';

/** Path of the schemas. */
export const toolSchemasFile = fileURLToPath(
  new URL('../packages/mcp/tool-schemas.json', import.meta.url),
);

/** The documents that tools take or return; what they refer to is included. */
const used = [
  'AdmissionReceipt',
  'BatchReceipt',
  'Credential',
  'LearningEvaluationRequest',
  'LearningProposalRequest',
  'LearningReadRequest',
  'LearningSelectRequest',
  'LearningSelection',
  'MemoryBatch',
  'MemoryRecord',
  'Procedure',
  'ProposalReceipt',
  'Receipt',
  'RecordInput',
  'RecordName',
  'RevisionsPage',
  'Scope',
  'SearchPage',
  'SearchRequest',
];

const COMPONENT = '#/components/schemas/';

/** Returns the schemas by name, formatted like every file of the workspace. */
export async function toolSchemasText(): Promise<string> {
  const { schemas } = generateDocument().components;
  const kept = new Map<string, unknown>();
  const keep = (name: string): void => {
    if (kept.has(name)) return;
    kept.set(name, schemas[name]);
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(
      /"#\/components\/schemas\/([^"]+)"/g,
    )) {
      if (other !== undefined) keep(other);
    }
  };
  used.forEach(keep);
  const byName = [...kept].sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(byName)).replaceAll(COMPONENT, '#/$defs/');
  const style = await resolveConfig(toolSchemasFile);
  return format(text, { ...style, parser: 'json' });
}
