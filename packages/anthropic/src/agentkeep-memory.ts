/** The memory tool of Claude over a scope. */
import { type Agent, AgentkeepError, type ScopeInput, type ScopedMemory } from '@agentkeep/client';
import type {
  CreateCommand,
  DeleteCommand,
  InsertCommand,
  MemoryCallOptions,
  MemoryCommand,
  RenameCommand,
  StrReplaceCommand,
  ViewCommand,
} from './commands.js';
import { deleting } from './delete-entries.js';
import { isBelow, memoryPath } from './memory-path.js';
import { isDirectory, MemoryTree } from './memory-tree.js';
import { renaming } from './rename-entries.js';
import { shownChange, shownDirectory, shownFile } from './shown-answers.js';
import { insertedText, replacedText } from './text-edits.js';

/** The location of the files. */
export interface AgentkeepMemoryOptions {
  /** Acts on the records; it needs `memory_read` and `memory_write` on the scope. */
  readonly agent: Agent;
  /** The scope of the records. A private one belongs to the subject of the agent. */
  readonly scope: ScopeInput;
  /** First part of the names of the records; default: `memories`. */
  readonly root?: string | undefined;
  /** Replaces the clock, in tests: Unix milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** Conflicting changes by others after which one command gives up. */
const ATTEMPTS_MAX = 100;

/**
 * The handlers of the memory tool `memory_20250818`. Each file is a record named
 * `memories/<path>`, whose text is the text of the file. Answers and errors are those of the local
 * memory tool of the Anthropic SDK; a command that changes something is one atomic commit.
 * @example
 * ```ts
 * import { AgentkeepMemory } from '@agentkeep/anthropic';
 * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
 * import { agentFor } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
 * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
 *
 * const memory = new AgentkeepMemory({ agent, scope });
 * await memory.create({ command: 'create', path: '/memories/ann.md', file_text: 'Prefers tea.' });
 * console.log(await memory.view({ command: 'view', path: '/memories' }));
 * ```
 */
export class AgentkeepMemory {
  readonly #memory: ScopedMemory;
  readonly #root: string;
  readonly #now: () => number;

  constructor({ agent, scope, root = 'memories', now = Date.now }: AgentkeepMemoryOptions) {
    this.#memory = agent.memory.in(scope);
    this.#root = root;
    this.#now = now;
  }

  /**
   * Executes any command. It can be handed over without its object, as `execute` of a tool.
   * @throws {Error} with the text that the model should see.
   */
  readonly execute = (command: MemoryCommand, options?: MemoryCallOptions): Promise<string> => {
    switch (command.command) {
      case 'view':
        return this.view(command, options);
      case 'create':
        return this.create(command, options);
      case 'str_replace':
        return this.str_replace(command, options);
      case 'insert':
        return this.insert(command, options);
      case 'delete':
        return this.delete(command, options);
      case 'rename':
        return this.rename(command, options);
      default:
        return Promise.reject(
          new Error(`${(command as { command: string }).command} not implemented`),
        );
    }
  };

  /** Shows a file, or the entries up to two levels below a directory. */
  view({ path, view_range }: ViewCommand, options?: MemoryCallOptions): Promise<string> {
    return this.#onTree(options, async (tree) => {
      const at = memoryPath(path);
      const found = await tree.find(at);
      if (found.kind === 'missing') throw absent(path);
      if (found.kind === 'file') {
        return shownFile(path, found.record.payload.content.primary, view_range);
      }
      const entries = await tree.entries(at);
      const listed = entries.map(({ segments, record }) => {
        const { primary } = record.payload.content;
        return { segments, bytes: isDirectory(record) ? undefined : Buffer.byteLength(primary) };
      });
      return shownDirectory(path, listed);
    });
  }

  /** Makes a file, and the missing directories of its path. */
  create({ path, file_text }: CreateCommand, options?: MemoryCallOptions): Promise<string> {
    return this.#onTree(options, async (tree) => {
      const at = memoryPath(path);
      if (await tree.has(at)) throw new Error(`File ${path} already exists`);
      const directories = await tree.makingDirectories(at);
      const record = tree.newFile(file_text);
      const file = { type: 'put', name: tree.name(at), expected_revision: 0, record } as const;
      await tree.commit([...directories, file]);
      return `File created successfully at: ${path}`;
    });
  }

  /** Replaces a text that is in one line of a file. */
  str_replace(command: StrReplaceCommand, options?: MemoryCallOptions): Promise<string> {
    return this.#edited(command.path, options, (before) => {
      const { text, line } = replacedText(before, command);
      return { text, answer: shownChange(text, line) };
    });
  }

  /** Inserts text after a line of a file. */
  insert(command: InsertCommand, options?: MemoryCallOptions): Promise<string> {
    return this.#edited(command.path, options, (before) => ({
      text: insertedText(before, command),
      answer: `The file ${command.path} has been edited.`,
    }));
  }

  /** Deletes a file, or a directory with everything in it. */
  delete({ path }: DeleteCommand, options?: MemoryCallOptions): Promise<string> {
    return this.#onTree(options, async (tree) => {
      const at = memoryPath(path);
      if (at.segments.length === 0) {
        throw new Error('Cannot delete the /memories directory itself');
      }
      const found = await tree.find(at);
      if (found.kind === 'missing') throw new Error(`The path ${path} does not exist`);
      for (const changes of await deleting(tree, at, found)) await tree.commit(changes);
      return `Successfully deleted ${path}`;
    });
  }

  /** Renames a file, or a directory with everything in it, in one commit. */
  rename({ old_path, new_path }: RenameCommand, options?: MemoryCallOptions): Promise<string> {
    return this.#onTree(options, async (tree) => {
      const from = memoryPath(old_path);
      const found = await tree.find(from);
      const to = memoryPath(new_path);
      const target = await tree.find(to);
      if (from.segments.length === 0) {
        throw new Error('Cannot rename the /memories directory itself');
      }
      if (target.kind !== 'missing') throw new Error(`The destination ${new_path} already exists`);
      if (isBelow(to, from)) {
        throw new Error(`The path ${old_path} cannot be moved into itself`);
      }
      if (found.kind === 'missing') throw new Error(`The path ${old_path} does not exist`);
      await tree.commit(await renaming(tree, { from, to, found }));
      return `Successfully renamed ${old_path} to ${new_path}`;
    });
  }

  /** Changes the text of a file, based on the revision that it saw. */
  #edited(
    path: string,
    options: MemoryCallOptions | undefined,
    edit: (text: string) => { readonly text: string; readonly answer: string },
  ): Promise<string> {
    return this.#onTree(options, async (tree) => {
      const at = memoryPath(path);
      const found = await tree.find(at);
      if (found.kind === 'missing') throw absent(path);
      if (found.kind === 'directory') throw new Error(`The path ${path} is not a file.`);
      const { text, answer } = edit(found.record.payload.content.primary);
      await tree.commit([
        {
          type: 'put',
          name: tree.name(at),
          expected_revision: found.record.revision,
          record: tree.changedFile(found.record, text),
        },
      ]);
      return answer;
    });
  }

  /** Executes a command on the current tree, and again whenever another change came first. */
  async #onTree(
    options: MemoryCallOptions = {},
    work: (tree: MemoryTree) => Promise<string>,
  ): Promise<string> {
    const signal = options.abortSignal ?? options.signal ?? undefined;
    for (let attempt = 1; ; attempt += 1) {
      const tree = new MemoryTree(this.#memory, this.#root, { now: this.#now, signal });
      try {
        signal?.throwIfAborted();
        const answer = await work(tree);
        return tree.waits ? WAITS : answer;
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isOvertaken(error)) throw error;
      }
    }
  }
}

/** What a model sees of a change that waits. */
const WAITS =
  'This change waits for review and is not in memory yet. Do not repeat it; a reviewer decides.';

function isOvertaken(error: unknown): boolean {
  if (!(error instanceof AgentkeepError)) return false;
  return error.code === 'revision_conflict' || error.code === 'record_not_found';
}

function absent(path: string): Error {
  return new Error(`The path ${path} does not exist. Please provide a valid path.`);
}
