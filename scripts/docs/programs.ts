/**
 * Extracts programs from the documentation: one per page with TypeScript blocks, and one per
 * `@example`. Line numbers are kept, so that errors point to a line of the page.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProject, root } from '../tidy-files.ts';
import { type Block, blocksOf, documentationPages } from './page-blocks.ts';

/** An extracted program and its source. */
export interface DocsProgram {
  /** The page or source file, relative to the root. */
  readonly source: string;
  /** Path of the extracted program. */
  readonly path: string;
}

/** Inside the server package, so that imports resolve like those of an application. */
const besideServer = join(root, 'packages/server/.cache/docs');

const docstring = /^[ \t]*\/\*\*[\s\S]*?\*\//gmu;

/** Writes all programs to an emptied folder. */
export function extractPrograms(folder = besideServer): DocsProgram[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return [...pagePrograms(), ...examplePrograms()].map(({ source, blocks }, index) => {
    const name = `${String(index + 1).padStart(3, '0')}-${source.replaceAll(/[^\w.-]+/g, '-')}`;
    const path = join(folder, name.replace(/(?:\.ts|\.md)$/u, '.ts'));
    writeFileSync(path, programText(blocks));
    return { source, path };
  });
}

interface Draft {
  readonly source: string;
  readonly blocks: readonly Block[];
}

/** Joins the blocks of each page into one program, from top to bottom. */
function pagePrograms(): Draft[] {
  return documentationPages()
    .map(({ path, text }) => ({ source: path, blocks: blocksOf(text).filter(isTypeScript) }))
    .filter(({ blocks }) => blocks.length > 0);
}

function examplePrograms(): Draft[] {
  return readProject()
    .filter(({ path }) => /^packages\/[^/]+\/src\/.*(?<!\.test)\.ts$/u.test(path))
    .flatMap(({ path, text }) =>
      examplesIn(text).map((block) => ({ source: path, blocks: [block] })),
    );
}

function examplesIn(text: string): Block[] {
  return Array.from(text.matchAll(docstring)).flatMap(({ 0: comment, index }) => {
    if (!comment.includes('@example')) return [];
    const line = text.slice(0, index).split('\n').length;
    const plain = comment.replaceAll(/^[ \t]*(?:\/\*\*|\*\/|\*) ?/gmu, '');
    return blocksOf(plain)
      .filter(isTypeScript)
      .map((block) => ({ ...block, line: line + block.line - 1 }));
  });
}

function isTypeScript({ info }: Block): boolean {
  return info === 'ts';
}

function programText(blocks: readonly Block[]): string {
  let text = '';
  for (const block of blocks) {
    text += '\n'.repeat(block.line - text.split('\n').length) + block.text;
  }
  // Makes a program without imports a module, so that it may use `await`.
  return `${text}export {};\n`;
}
