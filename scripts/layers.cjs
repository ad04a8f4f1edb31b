/**
 * The floors of each package, from the ground up. A room is a folder, or a file beside the folders.
 * It may import rooms of lower floors only, so neither files nor folders can form a cycle.
 */
const core = 'packages/core/src';
const server = 'packages/server/src';

/** Rooms by folder: each list is one floor. `.` stands for the files right inside the folder. */
const houses = {
  [core]: [
    ['contract'],
    ['storage'],
    ['access', 'store.ts'],
    ['runtime'],
    ['identity', 'memory', 'learning', 'testing'],
    ['people', 'testing.ts'],
    ['administration'],
    ['operations.ts'],
    ['clients'],
    ['keep.ts'],
    ['open-keep.ts', 'operator.ts', 'transport.ts'],
    ['index.ts'],
  ],
  [`${core}/contract`]: [['.'], ['errors'], ['schema']],
  [`${core}/storage`]: [['store'], ['in-memory-store', 'lmdb-store', 'store-testing']],
  [`${core}/runtime`]: [
    ['ports', 'idempotency'],
    ['admission', 'counts', 'lists'],
    ['audit'],
    ['.'],
    ['installation'],
  ],
  [`${core}/identity`]: [['credential'], ['global-credential', 'tenant'], ['program-credential']],
  [`${core}/learning`]: [['.'], ['procedure', 'tool'], ['experience']],
  [`${core}/people`]: [
    ['password', 'token'],
    ['account'],
    ['api-key', 'lockout'],
    ['session'],
    ['user'],
    ['login-account', '.'],
  ],
  [`${core}/administration`]: [['audit', 'health'], ['rate-limit', 'stats'], ['snapshot']],
  [server]: [
    ['log', 'rate-limit', 'routes.ts', 'openapi/.'],
    ['http', 'client.ts'],
    ['openapi/generate', 'options', 'lifecycle'],
    ['cli', 'index.ts'],
  ],
};

const escaped = (text) => text.replaceAll('.', '[.]');

/** Matches the sources of a room. */
function patternOf(house, room) {
  if (room === '.') return `^${escaped(house)}/[^/]+$`;
  if (room.endsWith('/.')) return `^${escaped(`${house}/${room.slice(0, -2)}`)}/[^/]+$`;
  return room.endsWith('.ts') ? `^${escaped(`${house}/${room}`)}$` : `^${house}/${room}/`;
}

/** A dependency-cruiser rule for each room: nothing on its own floor, and nothing above. */
function roomRule(house, floors, height, room, tests) {
  const barred = floors
    .slice(height)
    .flat()
    .filter((other) => other !== room)
    .map((other) => patternOf(house, other));
  if (barred.length === 0) return [];
  return [
    {
      name: `${house.replace(/^packages\//u, '')}/${room}-imports-lower-floors`,
      comment: 'See scripts/layers.cjs for the floors.',
      severity: 'error',
      from: { path: patternOf(house, room), pathNot: tests },
      to: { path: barred },
    },
  ];
}

/** A source outside every room is an error too, so that no new folder escapes the rules. */
function houseRules(house, floors, tests) {
  const rooms = floors.flatMap((floor, height) =>
    floor.flatMap((room) => roomRule(house, floors, height, room, tests)),
  );
  const known = floors.flat().map((room) => patternOf(house, room));
  return [
    ...rooms,
    {
      name: `${house.replace(/^packages\//u, '')}-knows-its-rooms`,
      comment: 'Give the new folder or file a floor in scripts/layers.cjs.',
      severity: 'error',
      from: { path: `^${house}/`, pathNot: [...known, tests] },
      to: {},
    },
  ];
}

/** All rules of the floors. `tests` matches the files that they don't bind. */
const layerRules = (tests) =>
  Object.entries(houses).flatMap(([house, floors]) => houseRules(house, floors, tests));

module.exports = { houses, layerRules, patternOf };
