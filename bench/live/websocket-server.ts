/** Sends every post to every open WebSocket, by Bun's own `publish`. */
const topic = 'feed'

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request, server) {
    if (request.method === 'POST') {
      server.publish(topic, await request.text())
      return new Response(null, { status: 201 })
    }
    return server.upgrade(request) ? undefined : new Response(null, { status: 400 })
  },
  websocket: {
    open: (socket) => void socket.subscribe(topic),
    message() {},
    sendPings: false,
    idleTimeout: 960,
  },
})
console.log(`WebSockets: listens on 127.0.0.1:${server.port}`)

export {}
