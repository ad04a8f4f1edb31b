/** Fails when packages/server/openapi.json does not match the operations. */
import { readFileSync } from 'node:fs';
import { openapiFile, openapiText } from './openapi-text.ts';

if (readFileSync(openapiFile, 'utf8') !== (await openapiText())) {
  console.error(
    'packages/server/openapi.json is stale. Run `pnpm openapi:build` and review the difference.',
  );
  process.exitCode = 1;
}
