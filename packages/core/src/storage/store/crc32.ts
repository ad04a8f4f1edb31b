/** CRC-32 in JavaScript, for a few bytes: a native call costs as much as about fifty of them. */

const POLYNOMIAL = 0xedb88320;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 0 ? crc >>> 1 : POLYNOMIAL ^ (crc >>> 1);
  return crc;
});

/** Returns the checksum of a key, as `crc32` of `node:zlib` does. */
export function crc32OfKey(key: Uint8Array): number {
  return continueCrc32(key, 0, 0);
}

/** Continues a checksum with the bytes from an index on, as `crc32` of `node:zlib` does. */
export function continueCrc32(bytes: Uint8Array, from: number, before: number): number {
  let crc = ~before;
  for (let at = from; at < bytes.length; at += 1) {
    crc = (TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
