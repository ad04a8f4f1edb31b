/**
 * The types of `fingerprint.mjs`.
 */

/** Digest of everything that decides what is installed, from the folder of the workspace. */
export declare function installFingerprint(root: string): string;
