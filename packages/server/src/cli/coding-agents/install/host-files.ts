/** The files of a host that an installation writes, and what it writes there. */
import type { JsonEdit } from './json-edits.js';

/** A file and what is to be in it. */
export type HostFile =
  | { readonly path: string; readonly kind: 'json'; readonly edits: readonly JsonEdit[] }
  /**
   * Lines that are added at the end, such as tables of TOML, between two marks. A file with a line
   * of the form `taken` has the same already.
   */
  | {
      readonly path: string;
      readonly kind: 'lines';
      readonly lines: string;
      readonly taken: string;
    }
  /** A file of the installation alone. */
  | { readonly path: string; readonly kind: 'whole'; readonly text: string };

/** Where a host is installed. */
export interface HostLocation {
  /** Home of the user. */
  readonly home: string;
  /** Folder of the project; `undefined` for the user. */
  readonly project: string | undefined;
  readonly environment: Readonly<Partial<Record<string, string>>>;
  /** The words that start `agentkeep`. */
  readonly program: readonly string[];
  /** Whether a server was chosen, which MCP needs. */
  readonly hasServer: boolean;
}

/** A coding agent. */
export interface Host {
  readonly name: string;
  readonly title: string;
  /** Whether it was tried with the real program. */
  readonly isTried: boolean;
  /** The folders of which one is there if the host is. */
  readonly folders: (location: HostLocation) => readonly string[];
  readonly files: (location: HostLocation) => readonly HostFile[];
  /** What a person has to do by hand. */
  readonly note?: string;
}

/** Returns the words as one command of a shell. */
export function shellCommand(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
