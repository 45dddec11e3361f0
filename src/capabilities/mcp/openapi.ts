import type { ApiDescription } from '../../web/docs/openapi/description.ts'
import { about, commonRefusals, jsonOf } from '../../web/docs/openapi/parts.ts'
import { holding, integer, objectOf, text } from '../../web/docs/openapi/schemas.ts'

const id = { oneOf: [text, integer] }
const object = { type: 'object' }
const version = { const: '2.0' }

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'recent', arguments: { user: 'ada' } },
}

export const mcpDescription: ApiDescription = {
  operations: {
    'POST /mcp': {
      ...about('Read', 'callMcp', 'The Model Context Protocol, for agents: one message of JSON-RPC'),
      description:
        'Streamable HTTP without sessions and streams. The methods are initialize, ping, server/discover, tools/list ' +
        'and tools/call. What is wrong with the arguments of a tool is said in its result (isError).',
      requestBody: { required: true, content: jsonOf('McpMessage', call) },
      responses: {
        200: { description: 'The result, or the error', content: jsonOf('McpAnswer') },
        202: { description: 'A notification was received' },
        ...commonRefusals({
          forbidden: 'The request is from a page of another origin.',
          payload_too_large: null,
          unsupported_media_type: 'The body is not application/json.',
        }),
        400: {
          description: 'The body is no message, or its version or headers are wrong.',
          content: jsonOf('McpError'),
        },
        404: { description: 'There is no such method.', content: jsonOf('McpError') },
      },
    },
  },
  schemas: {
    McpMessage: holding({ jsonrpc: version, method: text }, { id, params: object }),
    McpAnswer: { oneOf: ['McpResult', 'McpError'].map((name) => ({ $ref: `#/components/schemas/${name}` })) },
    McpResult: objectOf({ jsonrpc: version, id, result: object }),
    McpError: objectOf(
      { jsonrpc: version, error: objectOf({ code: integer, message: text }, { data: object }) },
      { id },
    ),
  },
  byTokenAlone: ['/mcp'],
}
