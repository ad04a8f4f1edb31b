/**
 * The pages of the documentation and the code blocks in them.
 *
 * @module
 */
import { readProject, type ProjectFile } from '../tidy-files.ts';

/** A fenced block of a page. */
export interface Block {
  /** What stands behind the opening fence. */
  readonly info: string;
  readonly text: string;
  /** Line of the page on which the text starts, from 1. */
  readonly line: number;
}

const fenced = /^```(?<info>[^\n`]*)\n(?<text>[\s\S]*?)^```$/gmu;

/** Every page that is written by hand. */
export function documentationPages(): ProjectFile[] {
  return readProject().filter(({ path, isGenerated }) => path.endsWith('.md') && !isGenerated);
}

/** The blocks of a text, in order. */
export function blocksOf(text: string): Block[] {
  return Array.from(text.matchAll(fenced), ({ groups, index }) => ({
    info: (groups?.['info'] ?? '').trim(),
    text: groups?.['text'] ?? '',
    line: text.slice(0, index).split('\n').length + 1,
  }));
}
