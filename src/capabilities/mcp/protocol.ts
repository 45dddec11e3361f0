import { isObject } from '../../domain/field-parsing.ts'

/** The versions of MCP that begin with `initialize`, the newest first (modelcontextprotocol.io/specification). */
const handshakeVersions = ['2025-11-25', '2025-06-18'] as const
/** Those in which each request names its version, and repeats parts of its body in headers. */
const statelessVersions: readonly string[] = ['2026-07-28']
export const supportedVersions: readonly string[] = [...statelessVersions, ...handshakeVersions]

/** The errors of JSON-RPC, and those that MCP adds. */
const errorCodes = {
  notJson: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParameters: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

type Id = string | number
export type Members = Readonly<Record<string, unknown>>

/** A request of a client that is answered with a result or an error. */
export type McpRequest = {
  readonly id: Id
  readonly method: string
  readonly params: Members
  /** Whether it is of a version without `initialize`. */
  readonly isStateless: boolean
}

type RpcError = {
  readonly code: (typeof errorCodes)[keyof typeof errorCodes]
  readonly message: string
  readonly data?: Members | undefined
}

type Message =
  | { readonly outcome: 'request'; readonly request: McpRequest }
  | { readonly outcome: 'notification' }
  /** `id` is that of the request, if it has a valid one. */
  | { readonly outcome: 'refused'; readonly id?: Id | undefined; readonly error: RpcError }

const meta = (name: string) => `io.modelcontextprotocol/${name}`

/** Reads a message by its body and its headers. What it refuses is a 400. */
export function messageIn(body: unknown, headers: Pick<Headers, 'get'>): Message {
  const refused = (error: RpcError, id?: Id) => ({ outcome: 'refused', id, error }) as const
  if (Array.isArray(body)) return refused(batched)
  if (!isObject(body) || body.jsonrpc !== '2.0' || typeof body.method !== 'string') return refused(noRequest)
  const { id: sent, method, params = {} } = body
  if (sent === undefined) return { outcome: 'notification' }
  if (typeof sent !== 'string' && !Number.isSafeInteger(sent)) return refused(noId)
  const id = sent as Id
  if (!isObject(params)) return refused(noObject, id)
  const error = requestError({ method, params, headers })
  if (error !== null) return refused(error, id)
  return { outcome: 'request', request: { id, method, params, isStateless: isStateless(params, headers) } }
}

export function errorOf(code: keyof typeof errorCodes, message: string, data?: Members): RpcError {
  return { code: errorCodes[code], message, data }
}

const batched = errorOf('invalidRequest', 'Send one message per request: there are no batches.')
const noRequest = errorOf(
  'invalidRequest',
  'Send a request of JSON-RPC 2.0: {"jsonrpc":"2.0","id":1,"method":"tools/list"}.',
)
const noId = errorOf('invalidRequest', 'The "id" of a request is a text or a whole number.')
const noObject = errorOf('invalidParameters', 'The "params" must be an object.')

type Asked = Pick<McpRequest, 'method' | 'params'> & { readonly headers: Pick<Headers, 'get'> }

/** What is wrong with the version or the headers of a request; null for nothing. */
function requestError({ method, params, headers }: Asked): RpcError | null {
  const version = headers.get('mcp-protocol-version')
  if (!isStateless(params, headers)) {
    const isKnown = version === null || (handshakeVersions as readonly string[]).includes(version)
    return isKnown ? null : unsupported(version)
  }
  const metadata = isObject(params._meta) ? params._meta : {}
  const named = metadata[meta('protocolVersion')]
  if (named !== version) return mismatch('MCP-Protocol-Version', `_meta["${meta('protocolVersion')}"]`)
  if (!statelessVersions.includes(version ?? '')) return unsupported(named)
  if (!isObject(metadata[meta('clientCapabilities')])) {
    const message = `Send "${meta('clientCapabilities')}" in "_meta": an empty object, if there are none.`
    return errorOf('invalidParameters', message)
  }
  if (headers.get('mcp-method') !== method) return mismatch('Mcp-Method', 'method')
  const isNamed = method !== 'tools/call' || plainOf(headers.get('mcp-name')) === params.name
  return isNamed ? null : mismatch('Mcp-Name', 'params.name')
}

/** Whether a request is of a version without `initialize`, by its body or its header. */
function isStateless({ _meta }: Members, headers: Pick<Headers, 'get'>): boolean {
  if (isObject(_meta) && _meta[meta('protocolVersion')] !== undefined) return true
  return statelessVersions.includes(headers.get('mcp-protocol-version') ?? '')
}

function unsupported(requested: unknown): RpcError {
  const message = `This server speaks the versions ${supportedVersions.join(', ')} of MCP.`
  return errorOf('unsupportedVersion', message, { supported: supportedVersions, requested })
}

function mismatch(header: string, member: string): RpcError {
  return errorOf('headerMismatch', `The header ${header} has to be the same as ${member} in the body.`)
}

/** The value of a header that a client may have encoded; null for none. */
function plainOf(header: string | null): string | null {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(header ?? '') ?? []
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString()
}

/** The version that `initialize` agrees on: that of the client, or else the newest that begins like this. */
export function agreedVersion({ protocolVersion }: Members): string {
  return handshakeVersions.find((version) => version === protocolVersion) ?? handshakeVersions[0]
}

/** The answer with a result. Only versions without `initialize` have more in it than the result. */
export function resultBody({ id, isStateless }: McpRequest, result: Members, serverInfo: Members): Members {
  const about = { resultType: 'complete', _meta: { [meta('serverInfo')]: serverInfo } }
  return { jsonrpc: '2.0', id, result: isStateless ? { ...result, ...about } : result }
}

export function errorBody(id: Id | undefined, error: RpcError): Members {
  return { jsonrpc: '2.0', id, error }
}
