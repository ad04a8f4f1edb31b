/** The diagram of the layers in docs/code-map.md, drawn from the rules that the build enforces. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Layers by folder: see scripts/layers.cjs. */
type Layers = Readonly<Record<string, readonly (readonly string[])[]>>;

const require = createRequire(import.meta.url);
const { layersOf } = require('../layers.cjs') as { readonly layersOf: Layers };

const file = fileURLToPath(new URL('../../docs/code-map.md', import.meta.url));
const block = /(?<=<!-- layers:begin -->\n\n).*?(?=\n\n<!-- layers:end -->)/su;

/** Draws every package that has folders, top layer first. */
function layersPicture(): string {
  const packages = Object.keys(layersOf).filter(hasFolders);
  return ['```text', packages.map(packagePicture).join('\n\n'), '```'].join('\n');
}

function hasFolders(folder: string): boolean {
  const rooms = layersOf[folder]?.flat() ?? [];
  return folder.endsWith('/src') && rooms.some((room) => !room.endsWith('.ts'));
}

function packagePicture(folder: string): string {
  const layers = layersOf[folder] ?? [];
  const name = folder.replace(/^packages\//u, '@agentkeep/').replace(/\/src$/u, '');
  const lines = layers.map((rooms, index) => {
    const drawn = rooms.map((room) => roomPicture(folder, room)).join('   ');
    return `  ${String(index + 1).padStart(2)}  ${drawn}`;
  });
  return [name, ...lines.reverse()].join('\n');
}

/** Draws a room with its own layers, lowest first: `storage (store < lmdb-store)`. */
function roomPicture(folder: string, room: string): string {
  if (room.endsWith('.ts')) return room.replace(/\.ts$/u, '');
  const inside = layersOf[`${folder}/${room}`]?.map((layer) =>
    layer.map((inner) => (inner === '.' ? '*' : inner)).join(' '),
  );
  const name = room.replace(/\/\.$/u, '');
  return inside === undefined ? `${name}/` : `${name}/ (${inside.join(' < ')})`;
}

/** Returns a problem when the committed diagram is stale. */
export function staleLayers(): string[] {
  const isFresh = block.exec(readFileSync(file, 'utf8'))?.[0] === layersPicture();
  return isFresh ? [] : ['The layers in docs/code-map.md are stale; run `npm run docs:reference`'];
}

/** Writes the diagram. */
export function writeLayers(): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(block, layersPicture()));
}
