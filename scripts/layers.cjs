/**
 * The layers of each package, lowest first. A room is a folder, or a file outside the folders. It
 * may import only rooms of lower layers, so neither files nor folders can form a cycle.
 */
const core = 'packages/core/src';
const client = 'packages/client/src';
const langgraph = 'packages/langgraph/src';
const mcp = 'packages/mcp/src';
const postgres = 'packages/postgres/src';
const server = 'packages/server/src';

/** Rooms by folder; each list is one layer. `.` means the files directly in the folder. */
const layersOf = {
  [core]: [
    ['contract'],
    ['storage'],
    ['kernel', 'store.ts'],
    ['testing', 'upkeep'],
    ['domains', 'testing.ts'],
    ['domain-list.ts'],
    ['domains.ts'],
    ['client'],
    ['keep'],
    ['transport.ts', 'api.ts'],
    ['operator.ts', 'clients.ts'],
    ['index.ts'],
  ],
  [`${core}/contract`]: [['.', 'texts'], ['errors'], ['schema']],
  [`${core}/storage`]: [
    ['store'],
    ['frames'],
    ['families', 'in-memory-store', 'lmdb-store', 'sealing', 'store-testing'],
    ['key-files'],
  ],
  [`${core}/kernel`]: [
    ['access'],
    ['erased', 'ports', 'idempotency'],
    ['rate-limit', 'counts', 'input', 'lists', 'load'],
    ['audit'],
    ['services'],
    ['installation', 'operation'],
    ['invoke'],
    ['audit-log', 'rate-limit-policies'],
  ],
  [`${core}/domains`]: [
    ['tenancy', 'memory', 'learning'],
    ['erasure', 'people', 'reach', 'webhooks'],
  ],
  [`${core}/domains/tenancy`]: [
    ['credential'],
    ['delegation', 'global-credential', 'key-credential', 'tenant'],
    ['federation'],
    ['program-credential'],
    ['erasure'],
    ['tenancy-domain.ts'],
  ],
  [`${core}/domains/memory`]: [
    ['documents', 'retention', 'text', 'vectors'],
    ['branch', 'record'],
    ['journal', 'revision', 'segments', 'spaces'],
    ['meaning', 'view'],
    ['reading', 'search', 'sweep', 'writing'],
    ['changes', 'dependents'],
    ['branching', 'consumers'],
    ['erasure', 'lines'],
    ['.'],
  ],
  [`${core}/domains/memory/segments`]: [['columns'], ['facts', 'words'], ['.']],
  [`${core}/domains/memory/search`]: [
    ['documents'],
    ['matching'],
    ['examination'],
    ['pages'],
    ['text-vector.ts'],
    ['query-memory.ts', 'search-memory.ts'],
  ],
  [`${core}/domains/learning`]: [
    ['consumption-policy.ts', 'key-span.ts', 'scoped-operation.ts'],
    ['policy', 'tool'],
    ['evidence'],
    ['procedure'],
    ['experience', 'planning'],
    ['lines', 'listing'],
    ['learning-domain.ts'],
  ],
  [`${core}/domains/people`]: [
    ['password', 'token'],
    ['account'],
    ['sign-in', 'invitation'],
    ['api-key', 'connection', 'lockout'],
    ['session'],
    ['user'],
    ['erasure', 'inviting', 'login-account', 'openid'],
    ['.'],
  ],
  [`${core}/upkeep`]: [
    ['backlog', 'health', 'stored', '.'],
    ['quota', 'sealing'],
    ['erasure'],
    ['lines', 'snapshot'],
    ['replication'],
    ['export', 'background', 'import', 'stats'],
    ['domain'],
  ],
  [client]: [
    ['route.ts'],
    ['webhook-routes.ts'],
    [
      'addresses.ts',
      'bounded-text.ts',
      'clock.ts',
      'redirects.ts',
      'retry-policy.ts',
      'routes.ts',
      'secret-file.ts',
      'subject-policy.ts',
    ],
    ['answers.ts', 'held-secret.ts', 'requests.ts', 'server-address.ts'],
    ['caller-key.ts', 'one-try.ts', 'subject-tokens.ts'],
    ['calls.ts'],
    ['proved-calls.ts'],
    ['connect.ts'],
    ['index.ts', 'operator.ts'],
  ],
  [langgraph]: [
    ['is-overtaken.ts', 'record-names.ts', 'require-committed.ts'],
    ['checkpointer', 'store'],
    ['index.ts'],
  ],
  [mcp]: [
    ['exact-lines.ts', 'json-schema.ts', 'mcp-caller.ts', 'text-digest.ts'],
    ['views'],
    ['tools'],
    ['graph'],
    ['resources'],
    ['skills'],
    ['server-of.ts'],
    ['http', 'stdio.ts'],
    ['index.ts'],
  ],
  [postgres]: [
    ['settings'],
    ['database'],
    ['guesses'],
    ['locks'],
    ['commit', 'migration', 'read'],
    ['postgres-store.ts'],
    ['index.ts'],
  ],
  [server]: [
    ['log', 'metrics', 'oauth', 'rate-limit', 'openapi', 'files', 'cookies'],
    ['tracing', 'outgoing', 'reference-page', 'console'],
    ['openid'],
    ['front-door'],
    ['http', 'client.ts'],
    ['options', 'lifecycle', 'webhooks'],
    ['cli', 'index.ts'],
  ],
  [`${server}/front-door`]: [['request'], ['pages', 'provider'], ['consent'], ['.']],
  [`${server}/cli`]: [
    ['command'],
    ['output', 'parsing'],
    ['store', 'client'],
    ['coding-agents'],
    ['serving', 'completion'],
    ['doctor'],
    ['service-commands.ts'],
    ['run-service-command.ts'],
    ['run-command-line.ts'],
    ['run-process.ts'],
    ['main.ts'],
  ],
  [`${server}/cli/coding-agents`]: [
    ['state'],
    ['capture'],
    ['companion'],
    ['hook', 'install'],
    ['.'],
  ],
};

const escaped = (text) => text.replaceAll('.', '[.]');

/** Returns a pattern that matches the sources of a room. */
function patternOf(folder, room) {
  if (room === '.') return `^${escaped(folder)}/[^/]+$`;
  if (room.endsWith('/.')) return `^${escaped(`${folder}/${room.slice(0, -2)}`)}/[^/]+$`;
  return room.endsWith('.ts') ? `^${escaped(`${folder}/${room}`)}$` : `^${folder}/${room}/`;
}

/** Returns the rule of a room: it imports nothing from its own layer or above. */
function roomRule(folder, layers, index, room, tests) {
  const forbidden = layers
    .slice(index)
    .flat()
    .filter((other) => other !== room)
    .map((other) => patternOf(folder, other));
  if (forbidden.length === 0) return [];
  return [
    {
      name: `${folder.replace(/^packages\//u, '')}/${room}-imports-lower-layers`,
      comment: 'See scripts/layers.cjs for the layers.',
      severity: 'error',
      from: { path: patternOf(folder, room), pathNot: tests },
      to: { path: forbidden },
    },
  ];
}

/**
 * Returns the rules of a folder of rooms. A source outside every room is an error too, so that new
 * folders cannot escape the rules.
 */
function folderRules(folder, layers, tests) {
  const rooms = layers.flatMap((layer, index) =>
    layer.flatMap((room) => roomRule(folder, layers, index, room, tests)),
  );
  const known = layers.flat().map((room) => patternOf(folder, room));
  return [
    ...rooms,
    {
      name: `${folder.replace(/^packages\//u, '')}-has-layers-for-all-rooms`,
      comment: 'Give the new folder or file a layer in scripts/layers.cjs.',
      severity: 'error',
      from: { path: `^${folder}/`, pathNot: [...known, tests] },
      to: {},
    },
  ];
}

/** Returns all layer rules. `tests` matches the files that are exempt. */
const layerRules = (tests) =>
  Object.entries(layersOf).flatMap(([folder, layers]) => folderRules(folder, layers, tests));

module.exports = { layersOf, layerRules, patternOf };
