/**
 * Extracts programs from the documentation: one per page with TypeScript blocks, and one per
 * `@example`. Line numbers are kept, so that errors point to a line of the page.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages } from '../package-entries.mjs';
import { readProject, root } from '../tidy-files.ts';
import { type Block, blocksOf, documentationPages } from './page-blocks.ts';

/** An extracted program and its source. */
export interface DocsProgram {
  /** The page or source file, relative to the root. */
  readonly source: string;
  /** Path of the extracted program. */
  readonly path: string;
}

const docstring = /^[ \t]*\/\*\*[\s\S]*?\*\//gmu;

/**
 * Writes all programs to an emptied folder. Without one, each goes to a folder inside the package
 * that it is about, so that its imports resolve like those of an application.
 */
export function extractPrograms(folder?: string): DocsProgram[] {
  const emptied = new Set<string>();
  return [...pagePrograms(), ...examplePrograms()].map(({ source, blocks }, index) => {
    const target = folder ?? join(root, 'packages', packageOf(source, blocks), '.cache/docs');
    if (!emptied.has(target)) rmSync(target, { recursive: true, force: true });
    emptied.add(target);
    mkdirSync(target, { recursive: true });
    const name = `${String(index + 1).padStart(3, '0')}-${source.replaceAll(/[^\w.-]+/g, '-')}`;
    const path = join(target, name.replace(/(?:\.ts|\.md)$/u, '.ts'));
    writeFileSync(path, programText(blocks));
    return { source, path };
  });
}

/** Returns the folder of the adapter that a page is about or imports, or else of the server. */
function packageOf(source: string, blocks: readonly Block[]): string {
  const [, about] = /^(?:packages|docs\/guides)\/([\w-]+)/u.exec(source) ?? [];
  const names = about === undefined ? importedBy(blocks) : [about];
  return names.find((name) => adapters().includes(name)) ?? 'server';
}

/** Returns the folders of the packages that blocks import. */
function importedBy(blocks: readonly Block[]): string[] {
  const text = blocks.map((block) => block.text).join('');
  return Array.from(text.matchAll(/ from '@agentkeep\/([\w-]+)/gu), ([, name = '']) => name);
}

let knownAdapters: readonly string[] | undefined;

/** The packages that build on the client, as the server itself does. */
function adapters(): readonly string[] {
  knownAdapters ??= publishedPackages()
    .filter(({ manifest }) => Object.hasOwn(manifest.dependencies ?? {}, '@agentkeep/client'))
    .map(({ name }) => name);
  return knownAdapters;
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
