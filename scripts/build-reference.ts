/**
 * Writes docs/reference/, the layers in docs/code-map.md and the list of decisions. Run it after
 * changing an operation, a document, an error, an option, a limit, a layer, or the title of a
 * decision.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDecisions } from './docs/list-decisions.ts';
import { writeLayers } from './reference/layers-picture.ts';
import { referenceFolder, referencePages } from './reference/pages.ts';

const pages = await referencePages();
rmSync(referenceFolder, { recursive: true, force: true });
mkdirSync(referenceFolder, { recursive: true });
for (const { name, text } of pages) writeFileSync(join(referenceFolder, name), text);
writeLayers();
await writeDecisions();
