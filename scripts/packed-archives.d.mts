/** Packs each published package with npm, unless what it packs is as it was. */
export function packedArchives(): Map<string, string>;
