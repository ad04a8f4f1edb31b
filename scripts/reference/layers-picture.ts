/**
 * The picture of the floors in ARCHITECTURE.md, drawn from the rules that the build enforces.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Floors by folder: see scripts/layers.cjs. */
type Houses = Readonly<Record<string, readonly (readonly string[])[]>>;

const require = createRequire(import.meta.url);
const { houses } = require('../layers.cjs') as { readonly houses: Houses };

const file = fileURLToPath(new URL('../../ARCHITECTURE.md', import.meta.url));
const block = /(?<=<!-- layers:begin -->\n\n).*?(?=\n\n<!-- layers:end -->)/su;

/** Draws every package, its top floor first. */
function layersPicture(): string {
  const packages = Object.keys(houses).filter((house) => house.endsWith('/src'));
  return ['```text', packages.map(packagePicture).join('\n\n'), '```'].join('\n');
}

function packagePicture(house: string): string {
  const floors = houses[house] ?? [];
  const name = house.replace(/^packages\//u, '@agentkeep/').replace(/\/src$/u, '');
  const lines = floors.map((rooms, index) => {
    const drawn = rooms.map((room) => roomPicture(house, room)).join('   ');
    return `  ${String(index + 1).padStart(2)}  ${drawn}`;
  });
  return [name, ...lines.reverse()].join('\n');
}

/** A room with its own floors, the lowest first: `storage (store < lmdb-store)`. */
function roomPicture(house: string, room: string): string {
  if (room.endsWith('.ts')) return room.replace(/\.ts$/u, '');
  const inside = houses[`${house}/${room}`]?.map((floor) =>
    floor.map((inner) => (inner === '.' ? '*' : inner)).join(' '),
  );
  const name = room.replace(/\/\.$/u, '');
  return inside === undefined ? `${name}/` : `${name}/ (${inside.join(' < ')})`;
}

/** What is wrong with the committed picture. */
export function staleLayers(): string[] {
  const isFresh = block.exec(readFileSync(file, 'utf8'))?.[0] === layersPicture();
  return isFresh ? [] : ['The layers in ARCHITECTURE.md are stale; run `npm run docs:reference`'];
}

/** Draws the picture again. */
export function writeLayers(): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(block, layersPicture()));
}
