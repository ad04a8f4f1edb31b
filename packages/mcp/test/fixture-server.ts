/** The tools, resources and prompts that the conformance suite asks of any server. */
import {
  type CallToolResult,
  fromJsonSchema,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
const resource = { uri: 'test://embedded', mimeType: 'text/plain', text: 'Embedded.' };

type Content = CallToolResult['content'];

const contents: Readonly<Record<string, Content>> = {
  test_simple_text: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }],
  test_embedded_resource: [{ type: 'resource', resource }],
  test_multiple_content_types: [
    { type: 'text', text: 'Several.' },
    image,
    { type: 'resource', resource },
  ],
};

const addressSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};

/** Makes a server with everything that the suite asks for and that works without sessions. */
export function fixtureServer(): McpServer {
  const server = new McpServer(
    { name: 'fixture', version: '0' },
    { capabilities: { logging: {}, tools: {} } },
  );
  addTools(server);
  addResources(server);
  addPrompts(server);
  server.server.registerCapabilities({ completions: {} });
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }));
  return server;
}

function addTools(server: McpServer): void {
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: name }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Fails.' }, () => {
    throw new Error('This tool fails.');
  });
  server.registerTool('test_tool_with_logging', { description: 'Logs.' }, async ({ mcpReq }) => {
    for (const data of ['started', 'processing', 'completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
    }
    return { content: [{ type: 'text', text: 'Logged.' }] };
  });
  server.registerTool('test_tool_with_progress', { description: 'Steps.' }, async ({ mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (token === undefined) break;
      const params = { progressToken: token, progress, total: 100 };
      await mcpReq.notify({ method: 'notifications/progress', params });
    }
    return { content: [{ type: 'text', text: 'Stepped.' }] };
  });
  const described = { description: 'Has a schema.', inputSchema: fromJsonSchema(addressSchema) };
  server.registerTool('json_schema_2020_12_tool', described, () => ({ content: [] }));
}

function addResources(server: McpServer): void {
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'Text.' }],
  }));
  server.registerResource('binary', 'test://static-binary', {}, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PIXEL }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, {}, ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const user = <C>(content: C) => ({ role: 'user' as const, content });
  const says = (text: string) => user({ type: 'text' as const, text });
  const args = (names: readonly string[]) =>
    fromJsonSchema<Record<string, string>>({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: [...names],
    });
  server.registerPrompt('test_simple_prompt', { description: 'Simple.' }, () => ({
    messages: [says('Simple.')],
  }));
  const two = args(['arg1', 'arg2']);
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Two.', argsSchema: two },
    ({ arg1, arg2 }) => ({
      messages: [says(`${arg1 ?? ''} and ${arg2 ?? ''}`)],
    }),
  );
  const one = args(['resourceUri']);
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'One.', argsSchema: one },
    (given) => ({
      messages: [
        user({
          type: 'resource' as const,
          resource: { ...resource, uri: given['resourceUri'] ?? '' },
        }),
        says('Read it.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Image.' }, () => ({
    messages: [user(image), says('Look at it.')],
  }));
}
