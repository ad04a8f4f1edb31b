/** Types of `package-entries.mjs`. */

/** A package that is published, with its folder from the root. */
interface PublishedPackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: {
    readonly name: string;
    readonly dependencies?: object;
    readonly exports: Readonly<Record<string, string | { readonly 'agentkeep-source': string }>>;
  };
}

/** Folder of the workspace. */
export const root: string;

/** The packages that are published, each after those that it is made of. */
export function publishedPackages(): PublishedPackage[];
