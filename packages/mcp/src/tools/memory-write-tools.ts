/** Tools that change memory. A repeated call with the same idempotency key changes nothing more. */
import type { BatchCommand, RecordInput, ScopeInput } from '@agentkeep/client';
import { type JsonSchema, membersOf, objectOf, refTo } from '../json-schema.js';
import { refusedTarget, targetOf } from './target.js';
import { defineTool, scopeOf, type Tool, type ToolCall } from './tool.js';

/** The argument that makes a repeated call safe. */
const idempotencyKey: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
  description:
    'Your name for this intent. A repeated call with the same key and arguments changes nothing ' +
    'and returns the first receipt, so set it if you may call again.',
};

const revisionGuard: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'Refuses the change unless the record is at this revision; 0: unless there is none.',
};

const recordId: JsonSchema = { type: 'string', format: 'uuid' };
const receipt = objectOf({ receipt: refTo('Receipt') });

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
    'Creates the record of a name, or replaces its whole content. Use a name for whatever you ' +
    'will look up or change again, such as "customers/ann".',
  effect: 'changes',
  isIdempotent: false,
  input: objectOf(
    {
      scope: refTo('Scope'),
      name: refTo('RecordName'),
      record: refTo('RecordInput'),
      expected_revision: revisionGuard,
      idempotency_key: idempotencyKey,
    },
    ['scope', 'name', 'record'],
  ),
  output: receipt,
  run: async (given, call) => {
    const expected = given.expected_revision;
    const options = { ...commandOptions(given, call), expectedRevision: expected };
    const { memory } = call.agent;
    return {
      receipt: await memory.in(scopeOf(given.scope, call)).put(given.name, given.record, options),
    };
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
  input: objectOf(
    { scope: refTo('Scope'), record: refTo('RecordInput'), idempotency_key: idempotencyKey },
    ['scope', 'record'],
  ),
  output: receipt,
  run: async (given, call) => {
    const options = commandOptions(given, call);
    const scope = scopeOf(given.scope, call);
    return { receipt: await call.agent.memory.in(scope).create(given.record, options) };
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
    'Replaces the whole content of the record of an id. It names the revision that the change is ' +
    'based on, and is refused with revision_conflict when another change came first.',
  effect: 'changes',
  isIdempotent: true,
  input: objectOf(
    {
      scope: refTo('Scope'),
      record_id: recordId,
      expected_revision: { type: 'integer', minimum: 0 },
      record: refTo('RecordInput'),
      idempotency_key: idempotencyKey,
    },
    ['scope', 'record_id', 'expected_revision', 'record'],
  ),
  output: receipt,
  run: async (given, call) => {
    const target = { recordId: given.record_id, expectedRevision: given.expected_revision };
    const options = commandOptions(given, call);
    const { memory } = call.agent;
    return {
      receipt: await memory.in(scopeOf(given.scope, call)).update(target, given.record, options),
    };
  },
});

interface DeleteArguments extends Keyed {
  readonly name?: string;
  readonly record_id?: string;
  readonly expected_revision?: number;
}

const memoryDelete: Tool = defineTool<DeleteArguments>({
  name: 'memory_delete',
  title: 'Delete a record',
  description:
    'Deletes the record of a name, or the record of an id, which needs expected_revision. ' +
    'record_not_found means that there is no such record now.',
  effect: 'changes',
  isIdempotent: true,
  input: objectOf(
    {
      scope: refTo('Scope'),
      name: refTo('RecordName'),
      record_id: recordId,
      expected_revision: revisionGuard,
      idempotency_key: idempotencyKey,
    },
    ['scope'],
  ),
  output: receipt,
  run: async (given, call) => {
    const target = targetOf(given);
    const expectedRevision = given.expected_revision;
    const scope = scopeOf(given.scope, call);
    const options = commandOptions(given, call);
    const memory = call.agent.memory.in(scope);
    if ('name' in target) {
      return { receipt: await memory.delete({ ...target, expectedRevision }, options) };
    }
    if (expectedRevision === undefined) throw refusedTarget('expected_revision with record_id');
    return { receipt: await memory.delete({ ...target, expectedRevision }, options) };
  },
});

interface BatchArguments extends Pick<Keyed, 'idempotency_key'> {
  readonly commands: readonly BatchCommand[];
}

const memoryBatch: Tool = defineTool<BatchArguments>({
  name: 'memory_batch',
  title: 'Change several records at once',
  description:
    'Executes 1 to 256 commands in their order, all or none: create, update, delete, put, remove, ' +
    'restore an old revision, or redact one.',
  effect: 'changes',
  isIdempotent: false,
  input: objectOf({ ...membersOf('MemoryBatch').properties, idempotency_key: idempotencyKey }, [
    'commands',
  ]),
  output: objectOf({ receipt: refTo('BatchReceipt') }),
  run: async (given, call) => {
    const options = commandOptions(given, call);
    return { receipt: await call.agent.memory.batch(given.commands, options) };
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
