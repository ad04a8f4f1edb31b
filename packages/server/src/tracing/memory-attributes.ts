/**
 * Attributes of spans by the semantic conventions of OpenTelemetry for generative AI, section on
 * memory (status: development). No content, name, tenant or scope is among them.
 */
import type { MemoryOperation } from '../metrics/metrics.js';

/** Attributes of a span or measurement. */
export type Attributes = Record<string, string | number>;

const OPERATION = 'gen_ai.operation.name';
const PROVIDER = 'gen_ai.provider.name';
const RECORD_ID = 'gen_ai.memory.record.id';
const RECORD_COUNT = 'gen_ai.memory.record.count';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Operations that look for records. */
const searches: ReadonlySet<string> = new Set(['queryMemory', 'searchMemory']);

/** Operations that change records. What they do is stated in their document. */
const changes: ReadonlySet<string> = new Set(['executeMemoryCommand', 'executeMemoryBatch']);

/** What each type of command does. */
const operationOfType: ReadonlyMap<unknown, MemoryOperation> = new Map<unknown, MemoryOperation>([
  ['create', 'create_memory'],
  ['update', 'update_memory'],
  ['restore', 'update_memory'],
  ['put', 'upsert_memory'],
  ['delete', 'delete_memory'],
  ['remove', 'delete_memory'],
  ['redact', 'delete_memory'],
]);

/** Returns what is known when a request begins. */
export function attributesOfStart(operation: string): Attributes {
  const name = searchOf(operation);
  return name === undefined ? {} : memory(name);
}

/** Returns what the document of a memory command or batch says, which need not be valid. */
export function attributesOfSent(operation: string, document: unknown): Attributes {
  if (!changes.has(operation)) return {};
  const steps = stepsOf(document);
  const attributes = memory(changeOf(steps));
  attributes[RECORD_COUNT] = steps.length;
  const id = steps[0]?.['record_id'];
  if (steps.length === 1 && typeof id === 'string' && UUID.test(id)) attributes[RECORD_ID] = id;
  return attributes;
}

/** Returns what the answer of a search says. */
export function attributesOfAnswer(operation: string, output: unknown): Attributes {
  if (!searches.has(operation)) return {};
  const page = membersOf(membersOf(output)['page']);
  const found = page['records'] ?? page['matches'];
  return Array.isArray(found) ? { [RECORD_COUNT]: found.length } : {};
}

/** Returns what a search does, before its document is read; `undefined` for other operations. */
export function searchOf(operation: string): MemoryOperation | undefined {
  return searches.has(operation) ? 'search_memory' : undefined;
}

/** Returns what a document does to memory; `undefined` for operations that change none. */
export function changeIn(operation: string, document: unknown): MemoryOperation | undefined {
  return changes.has(operation) ? changeOf(stepsOf(document)) : undefined;
}

type Members = Partial<Record<string, unknown>>;

/** Returns the operation of a command, or of each command of a batch. */
function stepsOf(document: unknown): Members[] {
  const { commands } = membersOf(document);
  const all: unknown[] = Array.isArray(commands) ? commands : [document];
  return all.map((each) => membersOf(membersOf(each)['operation']));
}

/** Names what all steps do; steps of several kinds are a change of any kind. */
function changeOf(steps: readonly Members[]): MemoryOperation {
  const names = new Set(steps.map(({ type }) => operationOfType.get(type)));
  const [name] = names;
  return names.size === 1 && name !== undefined ? name : 'upsert_memory';
}

/** Returns the attributes that each operation on memory has. */
export function memory(name: MemoryOperation): Attributes {
  return { [OPERATION]: name, [PROVIDER]: 'agentkeep' };
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
