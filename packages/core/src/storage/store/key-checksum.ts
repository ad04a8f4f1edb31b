/** The CRC-32 of keys. Node's own costs more per call than a short key takes here. */

const POLYNOMIAL = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++)
    rest = (rest & 1) === 0 ? rest >>> 1 : (rest >>> 1) ^ POLYNOMIAL;
  return rest;
});

/** Returns the CRC-32 of a key, as `crc32` of `node:zlib` does. */
export function keyChecksum(key: Uint8Array): number {
  let rest = 0xffffffff;
  for (let at = 0; at < key.length; at++) {
    rest = (table[(rest ^ (key[at] ?? 0)) & 0xff] ?? 0) ^ (rest >>> 8);
  }
  return ~rest >>> 0;
}
