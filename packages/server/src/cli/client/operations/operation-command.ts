/** Makes the command of an operation from the operation's entry in the contract. */
import type { CallOperation } from '@agentkeep/core/clients';
import type { OperationEntry } from './stated-commands.js';
import type { OperationObject } from '../../../openapi/openapi-document.js';
import type { ClientCommand, ClientInvocation, OwnFlag } from '../../command/command.js';
import { UsageError } from '../../command/usage-error.js';
import { withConnection } from '../connection.js';
import { printAnswer } from './answer-text.js';
import { type OperationInput, operationInput } from './operation-input.js';
import { type InputParts, readInputParts } from './input-parts.js';
import { type Components, membersOf } from './schema-members.js';
import {
  keptSecret,
  SECRET_FLAG,
  SECRET_MEMBERS,
  type SecretKeeper,
} from '../../output/kept-secret.js';
import { type RevisionSource, withRevision } from './current-revision.js';

/** The contract's entry of an operation, with the name of the parameter in its path. */
export interface ContractEntry {
  readonly object: OperationObject;
  readonly idName: string | undefined;
  /** The operation that the expected revision is read from. */
  readonly revision: RevisionSource | undefined;
}

const ALL_FLAG: OwnFlag = { name: 'all', summary: 'Show every page, not only the first one.' };

const DOCUMENT_FLAG: OwnFlag = {
  name: 'document',
  placeholder: '<file>',
  summary: 'JSON file with the whole document; - reads standard input. Flags override its members.',
};

/** Returns the command of an operation. */
export function operationCommand(
  entry: OperationEntry,
  { object, idName, revision }: ContractEntry,
  components: Components,
): ClientCommand {
  const input = operationInput(object, components);
  const isPaged = input.flags.some(({ name }) => name === 'cursor');
  const deliversSecret = hasSecret(object, components);
  const ownFlags: readonly OwnFlag[] = [
    ...input.flags,
    ...(input.document === undefined ? [] : [DOCUMENT_FLAG]),
    ...(isPaged ? [ALL_FLAG] : []),
    ...(deliversSecret ? [SECRET_FLAG] : []),
  ];
  return {
    name: entry.name,
    positionals: idName === undefined ? [] : [idName.replaceAll('_', '-')],
    summary: object.summary,
    description: [object.summary, `Calls the operation ${entry.operation} of the contract.`],
    isCall: true,
    hasJson: true,
    ownFlags,
    examples: entry.examples ?? [exampleOf(entry.name, idName)],
    run: async (invocation) => {
      const [id] = invocation.positionals;
      const given = invocation.flags;
      const parts = await readInputParts(input, { io: invocation.io, given, id });
      requireMembers(input, parts, revision);
      using kept = deliversSecret ? keptSecret(given) : undefined;
      await withConnection(invocation, ({ call }) =>
        callAndPrint(entry, call, { invocation, parts, kept, revision }),
      );
      if (deliversSecret && kept === undefined && !invocation.json) {
        invocation.io.writeError('The secret is shown only this once.\n');
      }
    },
  };
}

function exampleOf(name: string, idName: string | undefined): string {
  const id = idName === undefined ? '' : ` <${idName.replaceAll('_', '-')}>`;
  return `agentkeep ${name}${id} --json`;
}

/** A call to make, and how its answer is printed. */
interface PlannedCall {
  readonly invocation: ClientInvocation;
  readonly parts: InputParts;
  readonly kept: SecretKeeper | undefined;
  readonly revision: RevisionSource | undefined;
}

async function callAndPrint(
  entry: OperationEntry,
  call: CallOperation,
  { invocation, parts, kept, revision }: PlannedCall,
): Promise<void> {
  const { io, flags, json } = invocation;
  const complete = revision === undefined ? parts : await withRevision(revision, call, parts);
  const follows = flags.has('all');
  for (let next: InputParts | undefined = complete; next !== undefined;) {
    const answer: object = await call(entry.operation, next);
    const shown = kept?.keep(answer) ?? answer;
    const cursor = await printAnswer(io, shown, { json, columns: entry.columns, follows });
    next =
      follows && cursor !== undefined
        ? { ...next, parameters: { ...next.parameters, cursor } }
        : undefined;
  }
}

/**
 * Refuses a call without its required members.
 * @throws {UsageError} which names all flags that are missing.
 */
function requireMembers(
  { flags }: OperationInput,
  parts: InputParts,
  revision: RevisionSource | undefined,
): void {
  const missing = flags.filter(({ isRequired, part, path: [outer = '', ...rest] }) => {
    if (!isRequired || (revision !== undefined && outer === 'expected_revision')) return false;
    const value = parts[part]?.[outer];
    return rest.length === 0
      ? value === undefined
      : !Object.hasOwn(Object(value) as object, rest[0] ?? '');
  });
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => `--${name}`).join(', ');
  throw new UsageError(`${names} ${missing.length === 1 ? 'is' : 'are'} required.`);
}

/** Returns whether an answer delivers a secret, which no later answer shows again. */
function hasSecret({ responses }: OperationObject, components: Components): boolean {
  const answer = responses['200'] ?? responses['201'];
  if (answer === undefined || '$ref' in answer) return false;
  const schema = answer.content['application/json']?.schema ?? {};
  return membersOf(schema, components).some(({ name }) => SECRET_MEMBERS.includes(name));
}
