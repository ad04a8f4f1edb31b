/**
 * Judges the members that a refusal names (docs/contract/conventions.md#con-169): only a 400 and
 * the refusals of that clause have them, in the form of the contract, and they repeat no value that
 * was sent.
 */

const MEMBERS_MAX = 16;
/** Plain words, dotted, with `[index]`. */
const PATH = /^(?:[\w-]{1,64}|\[\d+\])?(?:\.[\w-]{1,64}|\[\d+\])*$/;
/** Shorter texts occur in any sentence. */
const VALUE_CHARS_MIN = 12;

/** A source that a record names, or a record that it supersedes, within its command. */
const NAMED = String.raw`operation\.record\.(?:derived_from|supersedes)\[\d+\]`;

/** The one member that a refusal other than a 400 names, and the statuses that name it. */
const REFUSED: Readonly<Record<string, { readonly path: RegExp; readonly statuses: number[] }>> = {
  executeMemoryCommand: { path: new RegExp(`^${NAMED}$`), statuses: [403, 404, 409] },
  executeMemoryBatch: {
    path: new RegExp(String.raw`^commands\[\d+\](?:\.scope|\.${NAMED})?$`),
    statuses: [403, 404, 409],
  },
  proposeMemory: { path: new RegExp(`^${NAMED}$`), statuses: [403, 404, 409] },
  claimConsumer: { path: /^scope$/, statuses: [409] },
  createMemoryBranch: { path: /^scopes\[\d+\]$/, statuses: [403] },
  createWebhook: { path: /^(?:name|after|scopes\[\d+\])$/, statuses: [403, 409, 410] },
  updateWebhook: { path: /^(?:name|scopes\[\d+\])$/, statuses: [403, 409] },
  searchMemory: { path: /^scopes\[\d+\]$/, statuses: [403] },
  proposeProcedure: { path: /^proposal\.(?:policy_id|context_id)$/, statuses: [404] },
  selectProcedure: { path: /^(?:policy_id|context_id)$/, statuses: [404] },
};

/** What an idempotency key of another command names: the members that differ. */
const DIFFERING: Readonly<Record<string, RegExp>> = {
  executeMemoryCommand: /^operation\./,
  proposeMemory: /^operation\./,
  executeMemoryBatch: /^commands(?:\[\d+\]\.operation\.|$)/,
};

/** A refusal with the document that was sent. */
export interface Refusal {
  readonly operationId: string;
  readonly status: number;
  /** The JSON of the answer. */
  readonly body: unknown;
  /** The bytes of the request as text; empty if there are none. */
  readonly sent: string;
}

/** Returns one sentence for each fault. `contractText` may be repeated: it lists allowed values. */
export function faultsOfMembers(refusal: Refusal, contractText: string): string[] {
  const { status, body, sent } = refusal;
  const members = membersOf(body);
  if (members === undefined) return [];
  if (status !== 400 && !namesRefused(refusal, members)) return [`a ${status} that names members`];
  if (!Array.isArray(members) || members.length === 0 || members.length > MEMBERS_MAX) {
    return ['members that are no list of 1 to 16'];
  }
  const values = textsIn(sent).filter(
    (text) => text.length >= VALUE_CHARS_MIN && !contractText.includes(text),
  );
  return members.flatMap((member: unknown) => faultsOf(Object(member) as Named, values));
}

function namesRefused({ operationId, status }: Refusal, members: unknown): boolean {
  const [member, ...others] = Array.isArray(members) ? (members as Named[]) : [];
  if (status === 403 && member?.path === 'scope' && others.length === 0) return true;
  const differing = DIFFERING[operationId];
  if (status === 409 && differing !== undefined && Array.isArray(members)) {
    if ((members as Named[]).every(({ path }) => differing.test(String(path)))) return true;
  }
  const refused = REFUSED[operationId];
  if (refused?.statuses.includes(status) !== true) return false;
  return others.length === 0 && refused.path.test(String(member?.path));
}

interface Named {
  readonly path?: unknown;
  readonly expected?: unknown;
}

function faultsOf({ path, expected }: Named, values: readonly string[]): string[] {
  if (typeof path !== 'string' || !PATH.test(path)) return ['a path of a member in another form'];
  if (typeof expected !== 'string' || expected.trim() === '') {
    return ['a member without what was expected'];
  }
  return values.some((value) => expected.includes(value)) ? ['a member that repeats a value'] : [];
}

/** Returns the members of an answer in either shape of errors. */
function membersOf(body: unknown): unknown {
  const { error, members } = Object(body) as { error?: unknown; members?: unknown };
  if (typeof error === 'string') return members;
  return (Object(error) as { members?: unknown }).members;
}

/** Returns all texts among the values of a JSON text; none of anything else. */
function textsIn(sent: string): string[] {
  try {
    return textsOf(JSON.parse(sent));
  } catch {
    return [];
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
