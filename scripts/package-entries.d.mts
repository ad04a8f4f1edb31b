/** Types of `package-entries.mjs`. */

/** What `exports` of a manifest says of an entry. */
interface ExportedEntry {
  readonly 'agentkeep-source': string;
  readonly types?: string;
}

/** Content of a `package.json`. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | ExportedEntry>>;
}

/** A package that is published, with its folder from the root. */
interface PublishedPackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: PackageManifest;
}

/** A program of a package, by paths from its folder. */
interface PackageEntry {
  readonly source: string;
  readonly bundle: string;
  readonly types?: string;
}

/** Folder of the workspace. */
export const root: string;

/** The packages that are published, each after those that it is made of. */
export function publishedPackages(): PublishedPackage[];

/** The name of the archive that package managers make of a package. */
export function archiveName(manifest: PackageManifest): string;

/** Folders of packages and those whose declarations theirs are made of, in this order. */
export function withParts(folders: readonly string[]): string[];

/** Whether a package runs on every engine, because it names none. */
export function isPortable(manifest: PackageManifest): boolean;

/** The programs of a package: its entries and its command. */
export function entriesOf(manifest: PackageManifest): PackageEntry[];
