/** The parts of an OpenAPI 3.1 document that the contract uses. */

/** A JSON Schema (2020-12) node, or a reference to one. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** A reference to a component. */
export interface Reference {
  readonly $ref: string;
}

/** A body by media type. That of a request has an example, that of an error one for each code. */
export type Content = Readonly<
  Record<
    string,
    {
      readonly schema: SchemaNode;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
    }
  >
>;

/** A path or query parameter. */
export interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: SchemaNode;
}

/** A response header. */
export interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: SchemaNode;
}

/** One response of an operation. */
export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: Content;
}

/** One operation: its input and its responses by status. */
export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  /** Responses by status; error responses are references to components. */
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

/** Schemes that must be satisfied together. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** The whole document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>> & {
    readonly title: string;
    readonly version: string;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Operations by path template, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaNode>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}
