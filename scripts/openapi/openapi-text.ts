/** Generates the text of packages/server/openapi.json. */
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { generateDocument } from './generate-document.ts';

/** Path of the published contract. */
export const openapiFile = fileURLToPath(
  new URL('../../packages/server/openapi.json', import.meta.url),
);

/** Returns the contract, formatted like every file of the workspace. */
export async function openapiText(): Promise<string> {
  const style = await resolveConfig(openapiFile);
  return format(JSON.stringify(generateDocument()), { ...style, parser: 'json' });
}
