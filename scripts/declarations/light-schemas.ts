/**
 * The declarations of the schema library with less to check: what a schema with a pipe takes and
 * makes, and not how it runs. With the full type, most of the time of a build passes there.
 */
import ts from 'typescript';

/** What is replaced in the declarations of the library, and by what. */
const replacements = [
  {
    full: /^type SchemaWithPipe<(?<parameter>[\s\S]*?)> = Omit<[\s\S]+?^\};/mu,
    light: `type SchemaWithPipe<$<parameter>> = {
  readonly type: FirstTupleItem<TPipe$$1>['type'];
  readonly default: FirstTupleItem<TPipe$$1> extends { readonly default: infer D } ? D : never;
  readonly '~types'?: {
    readonly input: InferInput<FirstTupleItem<TPipe$$1>>;
    readonly output: InferOutput<LastTupleItem<TPipe$$1>>;
    readonly issue: any;
  } | undefined;
};`,
  },
  {
    full: /extends OptionalEntrySchema \| OptionalEntrySchemaAsync \?/gu,
    light: "extends { readonly type: 'exact_optional' | 'nullish' | 'optional' } ?",
  },
] as const;

function lightened(path: string, text: string): string {
  return replacements.reduce((before, { full, light }) => {
    const after = before.replace(full, light);
    if (after === before) throw new Error(`${path} does not have ${full.source}.`);
    return after;
  }, text);
}

/** Declarations of what is installed, which all programs of a build have in common. */
const installed = new Map<string, ts.SourceFile | undefined>();

/** Returns a host that reads the declarations of the library so, and what is installed once. */
export function hostOfLightSchemas(options: ts.CompilerOptions, library: string): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const read = host.readFile.bind(host);
  host.readFile = (path) => {
    const text = read(path);
    const isLight = text !== undefined && path.includes(`/node_modules/${library}/dist/index.d`);
    return isLight ? lightened(path, text) : text;
  };
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) => {
    if (!path.includes('/node_modules/')) return parse(path, ...rest);
    if (!installed.has(path)) installed.set(path, parse(path, ...rest));
    return installed.get(path);
  };
  return host;
}
