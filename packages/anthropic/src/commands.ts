/** The commands of the memory tool, as Claude writes them; SDKs have the same types. */

/** Shows a file, or what is in a directory. */
export interface ViewCommand {
  readonly command: 'view';
  readonly path: string;
  /** First and last line, from 1; -1 as the last one means to the end. */
  readonly view_range?: readonly number[] | undefined;
}

/** Makes a file. */
export interface CreateCommand {
  readonly command: 'create';
  readonly path: string;
  readonly file_text: string;
}

/** Replaces a text that is in one line of a file. */
export interface StrReplaceCommand {
  readonly command: 'str_replace';
  readonly path: string;
  readonly old_str: string;
  readonly new_str: string;
}

/** Inserts text after a line of a file; 0 is its beginning. */
export interface InsertCommand {
  readonly command: 'insert';
  readonly path: string;
  readonly insert_line: number;
  readonly insert_text: string;
}

/** Deletes a file, or a directory with everything in it. */
export interface DeleteCommand {
  readonly command: 'delete';
  readonly path: string;
}

/** Renames a file, or a directory with everything in it. */
export interface RenameCommand {
  readonly command: 'rename';
  readonly old_path: string;
  readonly new_path: string;
}

/** Any command. */
export type MemoryCommand =
  ViewCommand | CreateCommand | StrReplaceCommand | InsertCommand | DeleteCommand | RenameCommand;

/** Options that frameworks pass to tools beside the command. */
export interface MemoryCallOptions {
  /** Ends the call: the name in the AI SDK. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Ends the call: the name in LangChain. */
  readonly signal?: AbortSignal | null | undefined;
}
