/** Tools that change memory. A repeated call with the same idempotency key changes nothing more. */
import type { BatchCommand, MemoryChangeInput, RecordInput, ScopeInput } from '@agentkeep/client';
import { integer, listOf, objectOf, text } from '../json-schema.js';
import type { Renaming } from './argument-names.js';
import { changes, idempotencyKey, record } from './documents.js';
import { receiptAnswer } from './review-tools.js';
import { refusedTarget, targetOf } from './target.js';
import { defineTool, memoryOf, type Tool, type ToolCall } from './tool.js';

const revisionGuard = integer('Refuses unless the record is at it; 0: unless there is none.');

/** The argument of a command is a member of its operation. */
const renamings: readonly Renaming[] = [[/^operation\./, '']];

interface Keyed {
  readonly scope?: ScopeInput;
  readonly idempotency_key?: string;
}

/** Returns the options of a command. The argument takes precedence over the key beside it. */
function commandOptions(given: Keyed, { key, signal }: ToolCall) {
  return { idempotencyKey: given.idempotency_key ?? key, signal };
}

interface PutArguments extends Keyed {
  readonly name: string;
  readonly record: RecordInput;
  readonly expected_revision?: number;
}

const memoryPut: Tool = defineTool<PutArguments>({
  name: 'memory_put',
  title: 'Put a record',
  description:
    'Creates the record of a name, or replaces its whole content. memory_remember does it for a text.',
  effect: 'changes',
  isIdempotent: false,
  capabilities: ['memory_write'],
  scopeArgument: 'scope',
  input: objectOf(
    {
      name: text(),
      record,
      expected_revision: revisionGuard,
      idempotency_key: idempotencyKey,
    },
    ['name', 'record'],
  ),
  renamings,
  run: async (given, call) => {
    const expected = given.expected_revision;
    const options = { ...commandOptions(given, call), expectedRevision: expected };
    const memory = await memoryOf(given, call);
    return receiptAnswer(await memory.put(given.name, given.record, options));
  },
});

interface CreateArguments extends Keyed {
  readonly record: RecordInput;
}

const memoryCreate: Tool = defineTool<CreateArguments>({
  name: 'memory_create',
  title: 'Create a record',
  description: 'Creates a record without a name, such as a note of what happened.',
  effect: 'adds',
  isIdempotent: false,
  capabilities: ['memory_write'],
  scopeArgument: 'scope',
  input: objectOf({ record, idempotency_key: idempotencyKey }, ['record']),
  renamings,
  run: async (given, call) => {
    const options = commandOptions(given, call);
    const memory = await memoryOf(given, call);
    return receiptAnswer(await memory.create(given.record, options));
  },
});

interface UpdateArguments extends Keyed {
  readonly record_id: string;
  readonly expected_revision: number;
  readonly record: RecordInput;
}

const memoryUpdate: Tool = defineTool<UpdateArguments>({
  name: 'memory_update',
  title: 'Update a record',
  description:
    'Replaces the whole content of a record, unless another change came after expected_revision: ' +
    'then it is refused with revision_conflict.',
  effect: 'changes',
  isIdempotent: true,
  capabilities: ['memory_write'],
  scopeArgument: 'scope',
  input: objectOf(
    {
      record_id: text(),
      expected_revision: integer(),
      record,
      idempotency_key: idempotencyKey,
    },
    ['record_id', 'expected_revision', 'record'],
  ),
  renamings,
  run: async (given, call) => {
    const target = { recordId: given.record_id, expectedRevision: given.expected_revision };
    const options = commandOptions(given, call);
    const memory = await memoryOf(given, call);
    return receiptAnswer(await memory.update(target, given.record, options));
  },
});

interface DeleteArguments extends Keyed {
  readonly name?: string;
  readonly record_id?: string;
  readonly expected_revision?: number;
  readonly dependents?: 'report' | 'cascade';
}

/** Dependents that an answer lists. */
const LISTED_MAX = 100;

const memoryDelete: Tool = defineTool<DeleteArguments>({
  name: 'memory_delete',
  title: 'Delete a record',
  description:
    'Deletes the record of a name, or of an id, which needs expected_revision. record_not_found: ' +
    'there is none now.',
  effect: 'changes',
  isIdempotent: true,
  capabilities: ['memory_write'],
  scopeArgument: 'scope',
  input: objectOf(
    {
      name: text(),
      record_id: text(),
      expected_revision: revisionGuard,
      dependents: { enum: ['report', 'cascade'] },
      idempotency_key: idempotencyKey,
    },
    [],
  ),
  renamings,
  run: async (given, call) => {
    const target = targetOf(given);
    const { expected_revision: expectedRevision, dependents } = given;
    const memory = await memoryOf(given, call);
    const options = { ...commandOptions(given, call), dependents };
    const erase = () => {
      if ('name' in target) return memory.delete({ ...target, expectedRevision }, options);
      if (expectedRevision === undefined) throw refusedTarget('expected_revision with record_id');
      return memory.delete({ ...target, expectedRevision }, options);
    };
    const receipt = await erase();
    if (dependents === undefined) return receiptAnswer(receipt);
    const found: object[] = [];
    for await (const each of memory.dependents(receipt, { signal: call.signal })) {
      if (found.length < LISTED_MAX) found.push(each);
    }
    return { receipt, dependents: found };
  },
});

interface BatchArguments extends Keyed {
  /** Each may be in a scope of its own. */
  readonly commands: readonly (MemoryChangeInput | BatchCommand)[];
  readonly propose?: boolean;
}

const memoryBatch: Tool = defineTool<BatchArguments>({
  name: 'memory_batch',
  title: 'Change several records at once',
  description: 'Executes 1 to 256 commands in their order, all or none.',
  effect: 'changes',
  isIdempotent: false,
  capabilities: ['memory_write'],
  scopeArgument: 'scope',
  input: objectOf(
    {
      commands: {
        ...listOf({ type: 'object' }),
        description: `Each ${changes} Or {scope, operation: one of these}.`,
      },
      propose: { type: 'boolean' },
      idempotency_key: idempotencyKey,
    },
    ['commands'],
  ),
  renamings: [[/^(commands\[\d+\])\.operation\b/, '$1']],
  run: async (given, call) => {
    const { commands, propose } = given;
    const areScoped = commands.every((command) => 'scope' in command);
    const memory = areScoped ? call.agent.memory : await memoryOf(given, call);
    const options = { ...commandOptions(given, call), propose };
    return receiptAnswer(await memory.batch(commands, options));
  },
});

/** The tools that change memory. */
export const memoryWriteTools: readonly Tool[] = [
  memoryPut,
  memoryCreate,
  memoryUpdate,
  memoryDelete,
  memoryBatch,
];
