import { Elysia } from 'elysia'
import { version } from '../../../package.json'
import { readBytes, readJsonValue } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import { empty, json } from '../../http/responses.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import {
  agreedVersion,
  errorBody,
  errorOf,
  type McpRequest,
  type Members,
  messageIn,
  resultBody,
  supportedVersions,
} from './protocol.ts'
import { argumentsIn } from './rules.ts'
import { messagesAreData, type Tool, toolsOf } from './tools.ts'

const serverInfo = { name: 'shipfeed', title: 'Shipfeed', version }
const capabilities = { tools: {} }
const instructions = `Shipfeed tells what was deployed where, as pipelines announce it. These tools only read. ${messagesAreData}`

/** Only another version of the service changes what a client may keep of it. */
const kept = { ttlMs: 3_600_000, cacheScope: 'public' }

/** POST /mcp: one message of the Model Context Protocol. There are no sessions and no streams. */
export function mcp(dependencies: Dependencies) {
  const tools = toolsOf(dependencies)
  const listed = tools.map(descriptionOf)
  const origin = new URL(dependencies.baseUrl).origin

  const methods: Readonly<Record<string, (params: Members) => Members | null | Promise<Members | null>>> = {
    initialize: (params) => ({
      protocolVersion: agreedVersion(params),
      ...{ capabilities, serverInfo, instructions },
    }),
    ping: () => ({}),
    'server/discover': () => ({ supportedVersions, capabilities, instructions, ...kept }),
    'tools/list': () => ({ tools: listed, ...kept }),
    'tools/call'(params) {
      const tool = tools.find(({ name }) => name === params.name)
      return tool === undefined ? null : callOf(tool, params.arguments)
    },
  }

  async function answerTo(request: McpRequest): Promise<Response> {
    const { id, method, params, isStateless } = request
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (handle === undefined) {
      const error = errorOf('unknownMethod', `The methods are ${Object.keys(methods).join(', ')}.`)
      return json(isStateless ? 404 : 200, errorBody(id, error))
    }
    const result = await handle(params)
    if (result !== null) return json(200, resultBody(request, result, serverInfo))
    const message = `There is no such tool, only ${tools.map(({ name }) => name).join(', ')}.`
    return json(200, errorBody(id, errorOf('invalidParameters', message)))
  }

  return new Elysia({ name: 'mcp' }).post(
    '/mcp',
    async ({ request }) => {
      const from = request.headers.get('origin')
      // Otherwise a page of another origin could read with its visitor's cookie, or from inside their network.
      if (from !== null && from !== origin) throw new Problem('forbidden', foreign)
      const contentType = request.headers.get('content-type') ?? ''
      const body = valueIn(await readBytes(request), contentType)
      if (body === null) return json(400, errorBody(undefined, notJson))
      const message = messageIn(body.value, request.headers)
      if (message.outcome === 'notification') return empty(202)
      if (message.outcome === 'refused') return json(400, errorBody(message.id, message.error))
      return await answerTo(message.request)
    },
    { parse: 'none' },
  )
}

const foreign = 'Pages of other origins cannot use this address. Use a client that sends no Origin header.'
const notJson = errorOf('notJson', 'The body is not JSON in UTF-8.')

/** Null for what is not JSON. Throws a Problem for another media type. */
function valueIn(bytes: Uint8Array, contentType: string): { readonly value: unknown } | null {
  try {
    return { value: readJsonValue(bytes, contentType) }
  } catch (error) {
    if (error instanceof Problem && error.code === 'bad_request') return null
    throw error
  }
}

function descriptionOf({ name, title, description, parameters, required, found }: Tool) {
  const properties = parameters
  const inputSchema = { type: 'object', properties, required, additionalProperties: false }
  return { name, title, description, inputSchema, outputSchema: found, annotations: { readOnlyHint: true } }
}

/** The result of a call. A model is told what is wrong with it, so that it can call again. */
async function callOf(tool: Tool, given: unknown): Promise<Members> {
  const read = argumentsIn(tool, given)
  if (read.outcome === 'refused') return { ...textOf(read.reason), isError: true }
  try {
    const structuredContent = await tool.call(read.given)
    return { ...textOf(JSON.stringify(structuredContent)), structuredContent }
  } catch (error) {
    if (error instanceof Problem) return { ...textOf(error.message), isError: true }
    throw error
  }
}

const textOf = (text: string) => ({ content: [{ type: 'text', text }] })
