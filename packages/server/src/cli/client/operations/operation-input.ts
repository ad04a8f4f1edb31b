/** The input of an operation as flags, made from its schemas in the contract. */
import type { OperationObject } from '../../../openapi/openapi-document.js';
import type { OwnFlag } from '../../command/command.js';
import { type FlagForm, flagOfMember } from './flag-form.js';
import {
  type Components,
  hasMembers,
  isNullable,
  membersOf,
  resolved,
  type SchemaMember,
} from './schema-members.js';

/** A flag, and the member that it sets. */
export interface InputFlag extends OwnFlag {
  readonly part: 'parameters' | 'document';
  /** Names from the outermost member to the one that the flag sets. */
  readonly path: readonly string[];
  readonly form: FlagForm;
  readonly isRequired: boolean;
  /** Whether the member may be `null`. */
  readonly isNullable: boolean;
}

/** Members with only one possible value, by their names. */
type Constants = Readonly<Record<string, unknown>>;

/** The input of an operation, apart from an id in its path; a part may be absent. */
export interface OperationInput {
  readonly flags: readonly InputFlag[];
  readonly parameters: Constants | undefined;
  readonly document: Constants | undefined;
}

/** Returns the flags of the query and of the document, and the members that need no flag. */
export function operationInput(
  { parameters = [], requestBody }: OperationObject,
  components: Components,
): OperationInput {
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, required }): SchemaMember => ({ name, schema, isRequired: required }));
  const body = requestBody?.content['application/json']?.schema;
  const document = body === undefined ? [] : membersOf(body, components);
  return {
    flags: [
      ...query.flatMap((member) => flagsOf('parameters', member, [], components)),
      ...document.flatMap((member) => flagsOf('document', member, [], components)),
    ],
    parameters: query.length === 0 ? undefined : constantsOf(query, components),
    document: body === undefined ? undefined : constantsOf(document, components),
  };
}

/** Returns the flag of a member, or the flags of the members of a required object. */
function flagsOf(
  part: InputFlag['part'],
  member: SchemaMember,
  outer: readonly string[],
  components: Components,
): InputFlag[] {
  const { schema, isRequired } = member;
  const path = [...outer, member.name];
  const shape = resolved(schema, components);
  if ('const' in shape) return [];
  if (isRequired && part === 'document' && hasMembers(shape)) {
    return membersOf(shape, components).flatMap((inner) => flagsOf(part, inner, path, components));
  }
  const flag = flagOfMember(member, components);
  return [{ ...flag, part, path, isRequired, isNullable: isNullable(schema) }];
}

/** Returns the members with only one possible value, including those of required objects. */
function constantsOf(members: readonly SchemaMember[], components: Components): Constants {
  return Object.fromEntries(
    members.flatMap(({ name, schema, isRequired }) => {
      if (!isRequired) return [];
      const shape = resolved(schema, components);
      if ('const' in shape) return [[name, shape['const']]];
      const inner = constantsOf(membersOf(shape, components), components);
      return Object.keys(inner).length === 0 ? [] : [[name, inner]];
    }),
  );
}
