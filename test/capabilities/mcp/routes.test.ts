import { describe, expect, test } from 'bun:test'
import { maxBodyBytes } from '../../../src/http/body.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService({ MCP: 'read' })

/** The version without a handshake, as its clients name it. */
const stateless = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': stateless,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const headersOf = (method: string) => ({ 'MCP-Protocol-Version': stateless, 'Mcp-Method': method })

async function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return await service.fetch('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const request = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

test.each(['GET', 'DELETE'])('%s is 405: there are no streams and no sessions', async (method) => {
  const response = await service.fetch('/mcp', { method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  expect(await response.json()).toMatchObject({ error: 'method_not_allowed' })
})

test('without the setting, nothing is there', async () => {
  await using off = await startService()
  for (const method of ['GET', 'POST'])
    expect([method, (await off.fetch('/mcp', { method })).status]).toEqual([method, 404])
})

describe('a message', () => {
  test('that is a notification gets 202 without a body', async () => {
    const response = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([response.status, await response.text()]).toEqual([202, ''])
  })

  test.each([
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-11-25'],
    [stateless, '2025-11-25'],
    [7, '2025-11-25'],
  ])('that begins with version %p is answered with %p', async (protocolVersion, agreed) => {
    const response = await post(request('initialize', { protocolVersion, capabilities: {} }))
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { protocolVersion: agreed, capabilities: { tools: {} } },
    })
  })

  test('that pings is answered with nothing', async () => {
    for (const id of ['a', 0, -1])
      expect(await (await post(request('ping', {}, id))).json()).toEqual({ jsonrpc: '2.0', id, result: {} })
  })

  test.each([
    ['{"jsonrpc":', -32700, undefined],
    [[request('ping')], -32600, undefined],
    ['null', -32600, undefined],
    [{ id: 1, method: 'ping' }, -32600, undefined],
    [{ jsonrpc: '2.0', id: 1 }, -32600, undefined],
    [{ jsonrpc: '2.0', id: 1, result: {} }, -32600, undefined],
    [request('ping', {}, null), -32600, undefined],
    [request('ping', {}, 1.5), -32600, undefined],
    [request('ping', []), -32602, 1],
  ])('such as %j is a 400', async (body, code, id) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      ...(id === undefined ? {} : { id }),
      error: { code, message: expect.stringMatching(/^[A-Z].{10,}\.$/) },
    })
  })

  test.each(['prompts/list', 'toString', ''])('of the method %p has an error', async (method) => {
    const response = await post(request(method))
    expect([response.status, await response.json()]).toMatchObject([200, { id: 1, error: { code: -32601 } }])
  })

  test('may have as many bytes as other bodies', async () => {
    const body = JSON.stringify(request('ping'))
    expect((await post(body.padEnd(maxBodyBytes))).status).toBe(200)
    expect((await post(body.padEnd(maxBodyBytes + 1))).status).toBe(413)
  })

  test('has to be JSON', async () => {
    const response = await post('x=1', { 'Content-Type': 'application/x-www-form-urlencoded' })
    expect([response.status, await response.json()]).toMatchObject([415, { error: 'unsupported_media_type' }])
  })

  test('is not taken from pages of other origins', async () => {
    const statuses = [
      'http://shipfeed.test',
      'http://shipfeed.test:81',
      'https://shipfeed.test',
      'null',
      service.url,
    ].map(async (Origin) => (await post(request('ping'), { Origin })).status)
    expect(await Promise.all(statuses)).toEqual([200, 403, 403, 403, 403])
  })
})

describe('the header of the version', () => {
  test.each([
    ['2025-06-18', 200],
    ['2025-11-25', 200],
    ['2025-03-26', 400],
    ['yesterday', 400],
  ])('%p is %d', async (version, status) => {
    const response = await post(request('ping'), { 'MCP-Protocol-Version': version })
    expect(response.status).toBe(status)
    const error = {
      code: -32022,
      data: { supported: [stateless, '2025-11-25', '2025-06-18'], requested: version },
    }
    if (status === 400) expect(await response.json()).toMatchObject({ id: 1, error })
  })
})

describe('a request without a handshake', () => {
  const call = request('tools/call', { name: 'recent', arguments: {}, _meta: meta })
  const ofCall = { ...headersOf('tools/call'), 'Mcp-Name': 'recent' }

  test('is answered with what identifies the server', async () => {
    for (const name of ['recent', `=?base64?${btoa('recent')}?=`]) {
      const response = await post(call, { ...ofCall, 'Mcp-Name': name })
      expect(response.status).toBe(200)
      const result = {
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'shipfeed' } },
      }
      expect(await response.json()).toMatchObject({ id: 1, result })
    }
  })

  test('of an unknown method is a 404', async () => {
    const response = await post(request('prompts/list', { _meta: meta }), headersOf('prompts/list'))
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: -32601 } }])
  })

  test.each([
    ['another version in the header', { 'MCP-Protocol-Version': '2025-11-25' }, meta, -32020],
    ['another method in the header', { 'Mcp-Method': 'tools/list' }, meta, -32020],
    ['another tool in the header', { 'Mcp-Name': 'search' }, meta, -32020],
    ['no tool in the header', { 'Mcp-Name': '' }, meta, -32020],
    ['no version in the body', {}, {}, -32020],
    ['no capabilities', {}, { 'io.modelcontextprotocol/protocolVersion': stateless }, -32602],
    [
      'a version of tomorrow',
      { 'MCP-Protocol-Version': '2030-01-01' },
      { ...meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' },
      -32022,
    ],
  ])('with %s is a 400', async (_name, headers, _meta, code) => {
    const response = await post({ ...call, params: { ...call.params, _meta } }, { ...ofCall, ...headers })
    expect([response.status, await response.json()]).toMatchObject([400, { id: 1, error: { code } }])
  })
})
