/** Finds the pages of the documentation and their code blocks. */
import { readProject, type ProjectFile } from '../tidy-files.ts';

/** A fenced block of a page. */
export interface Block {
  /** The text after the opening fence. */
  readonly info: string;
  readonly text: string;
  /** First line of the block's text on the page, from 1. */
  readonly line: number;
}

const fenced = /^```(?<info>[^\n`]*)\n(?<text>[\s\S]*?)^```$/gmu;

/** Returns all hand-written pages. */
export function documentationPages(): ProjectFile[] {
  return readProject().filter(({ path, isGenerated }) => path.endsWith('.md') && !isGenerated);
}

/** Returns the blocks of a text, in order. */
export function blocksOf(text: string): Block[] {
  return Array.from(text.matchAll(fenced), ({ groups, index }) => ({
    info: (groups?.['info'] ?? '').trim(),
    text: groups?.['text'] ?? '',
    line: text.slice(0, index).split('\n').length + 1,
  }));
}
