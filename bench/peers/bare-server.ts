/** Answers every request as the address of the first argument did once: the most that Bun can serve. */
export {}

const answer = await fetch(process.argv[2] ?? '', {
  headers: { 'Accept-Encoding': 'gzip' },
  decompress: false,
} as BunFetchRequestInit)
if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}`)

const ofTheServer = ['content-length', 'date']
const headers = Object.fromEntries([...answer.headers].filter(([name]) => !ofTheServer.includes(name)))
const body = await answer.bytes()

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Response(body, { headers }),
})
console.log(`A bare server listens on 127.0.0.1:${server.port}`)
