/** Types of `package-entries.mjs`. */

/** A package that is published, with its folder from the root. */
interface PublishedPackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: { readonly dependencies?: object };
}

/** The packages that are published, each after those that it is made of. */
export function publishedPackages(): PublishedPackage[];
