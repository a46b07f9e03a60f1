import { fromJsonSchema, type CallToolResult, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { audio, embedded, image, text } from './contents.ts'

const plain: Readonly<Record<string, CallToolResult['content']>> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [audio],
  test_embedded_resource: [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  // The response must hold nothing but the result.
  test_streaming_elicitation: [text('Nothing was asked.')],
}

/** Tools of the names that the conformance suite calls, which answer without asking anything back. */
export function registerTools(server: McpServer): void {
  for (const [name, content] of Object.entries(plain))
    server.registerTool(name, { description: name }, async () => ({ content }))
  server.registerTool('test_error_handling', { description: 'Fails' }, async () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  // Nothing is logged where the client did not ask for it.
  const logging = { description: 'Logs', inputSchema: z.object({}) }
  server.registerTool('test_logging_tool', logging, async (_given, { mcpReq }) => {
    await mcpReq.log('info', 'It ran.')
    return { content: [text('Done.')] }
  })
  registerProgress(server)
  registerSchema(server)
  registerHeader(server)
}

function registerProgress(server: McpServer): void {
  const about = { description: 'Reports its progress', inputSchema: z.object({}) }
  server.registerTool('test_tool_with_progress', about, async (_given, { mcpReq }) => {
    const { _meta: meta } = mcpReq
    const progressToken = meta?.progressToken
    if (progressToken === undefined) return { content: [text('Nobody asked for progress.')] }
    for (const progress of [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` },
      })
    return { content: [text(String(progressToken))] }
  })
}

/** Every keyword has to reach the client as it is written here. */
function registerSchema(server: McpServer): void {
  const inputSchema = fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  })
  const about = { description: 'Has a schema of JSON Schema 2020-12', inputSchema }
  server.registerTool('json_schema_2020_12_tool', about, async (given) => ({
    content: [text(JSON.stringify(given))],
  }))
}

/** An argument that clients repeat in a header, which has to agree with it. */
function registerHeader(server: McpServer): void {
  // Not a keyword of JSON Schema.
  const region: object = { type: 'string', 'x-mcp-header': 'Region' }
  const inputSchema = fromJsonSchema<{ region?: string }>({
    type: 'object',
    properties: { region, level: { type: 'integer' } },
  })
  const about = { description: 'Has an argument that is in a header too', inputSchema }
  server.registerTool('test_x_mcp_header', about, async ({ region = 'none' }) => ({
    content: [text(`region=${region}`)],
  }))
}
