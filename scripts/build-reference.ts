/**
 * Writes docs/reference/ and the layers in docs/code-map.md. Run it after changing an operation, a
 * document, an error, an option, a limit or a layer.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeLayers } from './reference/layers-picture.ts';
import { referenceFolder, referencePages } from './reference/pages.ts';

const pages = await referencePages();
rmSync(referenceFolder, { recursive: true, force: true });
mkdirSync(referenceFolder, { recursive: true });
for (const { name, text } of pages) writeFileSync(join(referenceFolder, name), text);
writeLayers();
