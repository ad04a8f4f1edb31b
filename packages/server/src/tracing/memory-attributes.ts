/**
 * Attributes of spans by the semantic conventions of OpenTelemetry for generative AI, section on
 * memory (status: development). No content, name, tenant or scope is among them.
 */

/** Attributes of a span. */
export type Attributes = Record<string, string | number>;

/** Names of memory operations, as the conventions list them. */
type MemoryOperation =
  'create_memory' | 'update_memory' | 'upsert_memory' | 'delete_memory' | 'search_memory';

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
  return searches.has(operation) ? memory('search_memory') : {};
}

/** Returns what the document of a memory command or batch says, which need not be valid. */
export function attributesOfSent(operation: string, document: unknown): Attributes {
  if (!changes.has(operation)) return {};
  const { commands } = membersOf(document);
  const all: unknown[] = Array.isArray(commands) ? commands : [document];
  const steps = all.map((each) => membersOf(membersOf(each)['operation']));
  const names = new Set(steps.map(({ type }) => operationOfType.get(type)));
  const [name] = names;
  const attributes = memory(names.size === 1 && name !== undefined ? name : 'upsert_memory');
  attributes[RECORD_COUNT] = all.length;
  const id = steps[0]?.['record_id'];
  if (all.length === 1 && typeof id === 'string' && UUID.test(id)) attributes[RECORD_ID] = id;
  return attributes;
}

/** Returns what the answer of a search says. */
export function attributesOfAnswer(operation: string, output: unknown): Attributes {
  if (!searches.has(operation)) return {};
  const page = membersOf(membersOf(output)['page']);
  const found = page['records'] ?? page['matches'];
  return Array.isArray(found) ? { [RECORD_COUNT]: found.length } : {};
}

function memory(name: MemoryOperation): Attributes {
  return { [OPERATION]: name, [PROVIDER]: 'agentkeep' };
}

function membersOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
