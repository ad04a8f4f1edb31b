/** Fails when packages/server/openapi.json, or what follows from it, is stale. */
import { readFileSync } from 'node:fs';
import { openapiFile, openapiText } from './openapi/openapi-text.ts';
import { toolSchemasFile, toolSchemasText } from './tool-schemas.ts';

const generated = [
  { name: 'packages/server/openapi.json', file: openapiFile, text: await openapiText() },
  { name: 'packages/mcp/tool-schemas.json', file: toolSchemasFile, text: await toolSchemasText() },
];

for (const { name, file, text } of generated) {
  if (readFileSync(file, 'utf8') === text) continue;
  console.error(`${name} is stale. Run \`pnpm openapi:build\` and review the difference.`);
  process.exitCode = 1;
}
