/** The clients of both SDKs, each as a value of one type. */
import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The result of a call of a tool. */
export interface CallResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool as a client sees it. */
interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A resource as a client sees it. */
interface ListedResource {
  readonly uri: string;
  readonly mimeType?: string | undefined;
}

/** What tests do with a client. */
export interface TestClient extends AsyncDisposable {
  readonly tools: () => Promise<readonly ListedTool[]>;
  readonly call: (
    name: string,
    given?: Record<string, unknown>,
    meta?: Record<string, unknown>,
  ) => Promise<CallResult>;
  readonly resources: () => Promise<readonly ListedResource[]>;
  readonly read: (uri: string) => Promise<string>;
  /** The revision of the protocol that was agreed on. */
  readonly revision: () => string | undefined;
}

/** The clients, by what they are. */
export const clientKinds = ['SDK v1', 'v2 legacy', 'v2 auto', 'v2 pinned'] as const;
export type ClientKind = (typeof clientKinds)[number];

/** Where a server is: at a URL, or a program on standard input. */
export type ServerTarget =
  | { readonly url: string; readonly secret?: string | undefined }
  | { readonly command: readonly [string, ...string[]]; readonly env: Record<string, string> };

const info = { name: 'test', version: '0' };

/** Connects a client. */
export async function connectClient(kind: ClientKind, target: ServerTarget): Promise<TestClient> {
  return kind === 'SDK v1' ? connectV1(target) : connectV2(kind, target);
}

async function connectV1(target: ServerTarget): Promise<TestClient> {
  const client = new V1Client(info);
  let revision: string | undefined;
  if ('url' in target) {
    const transport = new V1Http(new URL(target.url), {
      requestInit: { headers: proofOf(target) },
    });
    // The SDK's own types disagree under exactOptionalPropertyTypes.
    await client.connect(transport);
    revision = transport.protocolVersion;
  } else {
    await client.connect(new V1Stdio(processOf(target)));
  }
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}, meta) =>
      (await client.callTool({ name, arguments: given, _meta: meta })) as CallResult,
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    revision: () => revision,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function connectV2(
  kind: Exclude<ClientKind, 'SDK v1'>,
  target: ServerTarget,
): Promise<TestClient> {
  const client = clientV2(kind);
  await client.connect(
    'url' in target
      ? new v2.StreamableHTTPClientTransport(new URL(target.url), {
          requestInit: { headers: proofOf(target) },
        })
      : new V2Stdio(processOf(target)),
  );
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}, meta) =>
      await client.callTool({
        name,
        arguments: given,
        ...(meta === undefined ? {} : { _meta: meta }),
      }),
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    revision: () => client.getNegotiatedProtocolVersion(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Makes a client of the second SDK that speaks as its kind says. */
export function clientV2(kind: Exclude<ClientKind, 'SDK v1'>): v2.Client {
  const modes = { 'v2 legacy': 'legacy', 'v2 auto': 'auto', 'v2 pinned': { pin: '2026-07-28' } };
  const mode = modes[kind] as v2.VersionNegotiationMode;
  return new v2.Client(info, { versionNegotiation: { mode } });
}

function proofOf({ secret }: { readonly secret?: string | undefined }): Record<string, string> {
  return secret === undefined ? {} : { Authorization: `Bearer ${secret}` };
}

function processOf({ command, env }: Extract<ServerTarget, { command: unknown }>) {
  const [program, ...args] = command;
  return { command: program, args, env, stderr: 'ignore' as const };
}

function textOf(contents: readonly object[]): string {
  const [first] = contents;
  return first !== undefined && 'text' in first ? String(first.text) : '';
}
