/** Writes what the Python client takes over from the contract and from the TypeScript client. */
import { integerParameters, routes } from '../../packages/client/src/routes.ts';
import {
  errorCatalogue,
  type ErrorEntry,
} from '../../packages/core/src/contract/errors/catalogue.ts';
import { CONTRACT_VERSION, type OperationName } from '../../packages/core/src/index.ts';
import { documentWithDefaults } from '../openapi/generate-document.ts';
import { PythonTypes } from './python-types.ts';

/** Tags of the operations that the client has methods for. */
const TAGS = new Set([
  ...['Memory', 'Exports', 'Identity', 'Audit', 'Learning', 'Tools', 'Experiences', 'Health'],
  ...['Connections', 'Sign-in', 'Access', 'Erasure'],
]);

/** Documents of operations with other tags. */
const OTHERS = [
  ...['AuthLoginResponse', 'RefreshResponse', 'UserSession'],
  ...['AcceptedInvitation', 'Invitation', 'InvitationList', 'InvitedUser', 'ResetLink'],
];

/** Returns the types of documents. */
export function pythonDocuments(): string {
  const { components, paths } = documentWithDefaults();
  const types = new PythonTypes(components.schemas);
  const shown = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ tags }) => tags.some((tag) => TAGS.has(tag)));
  const text = JSON.stringify(shown);
  for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) types.add(name ?? '');
  for (const name of OTHERS) types.add(name);
  const head =
    '"""The documents of the contract, as they are sent: plain dicts with their types."""\n\n' +
    'from __future__ import annotations\n\n' +
    'from typing import Any, Dict, List, Literal, Optional, TypedDict, Union\n';
  return head + types.text();
}

/** Returns the routes, the errors and the versions. */
export function pythonContract(version: string): string {
  const names = Object.keys(routes) as OperationName[];
  const errors: [string, ErrorEntry][] = Object.entries(errorCatalogue);
  const kinds = [...new Set(errors.map(([, { kind }]) => kind))];
  const lines = (all: readonly string[]) => all.map((each) => `    ${each},\n`).join('');
  const text = (value: string) => JSON.stringify(value);
  return [
    '"""What the client takes over from the contract."""\n',
    'from __future__ import annotations\n',
    'from typing import Dict, FrozenSet, Literal, NamedTuple\n',
    `#: The version of this package.\nVERSION = ${text(version)}\n`,
    `#: The version that documents of the platform name.\nCONTRACT_VERSION = ${CONTRACT_VERSION}\n`,
    `#: The parameters of queries that are integers; all others are texts.\nINTEGER_PARAMETERS: FrozenSet[str] = frozenset(\n    {${[...integerParameters].map(text).join(', ')}}\n)\n`,
    `#: The codes of errors.\nErrorCode = Literal[\n${lines(errors.map(([code]) => text(code)))}]\n`,
    `#: The kinds of errors.\nErrorKind = Literal[\n${lines(kinds.map(text))}]\n`,
    '\nclass Route(NamedTuple):',
    '    """Where an operation is, and how its calls behave."""\n',
    '    method: str\n    path: str',
    '    #: Whether a call has the same effect however often it is sent.\n    is_repeatable: bool',
    '    #: Whether answers name the version of the contract.\n    is_versioned: bool\n\n',
    'class ErrorEntry(NamedTuple):',
    '    """The properties of a code."""\n',
    '    kind: ErrorKind\n    retryable: bool\n    message: str\n\n',
    `ROUTES: Dict[str, Route] = {\n${lines(names.map(routeLine))}}\n`,
    `ERRORS: Dict[str, ErrorEntry] = {\n${lines(errors.map(errorLine))}}\n`,
  ].join('\n');

  function routeLine(name: OperationName): string {
    const { method, path, isRepeatable, surface } = routes[name];
    const flags = `${python(isRepeatable)}, ${python(surface === 'platform')}`;
    return `${text(name)}: Route(${text(method)}, ${text(path)}, ${flags})`;
  }

  function errorLine([code, { kind, retryable, message }]: [string, ErrorEntry]): string {
    return `${text(code)}: ErrorEntry(\n        ${text(kind)},\n        ${python(retryable)},\n        ${text(message)},\n    )`;
  }
}

function python(value: boolean): string {
  return value ? 'True' : 'False';
}
