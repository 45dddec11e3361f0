import { createServer } from 'node:http'
import { makeBadge } from 'badge-maker'

/** The least that a badge service without a store does: draw a badge for each request. */
const messages = [
  ['Fresh', '#1a7f37'],
  ['Warm', '#4d7c0f'],
  ['Active', '#0e7490'],
  ['Quiet', '#9a6700'],
  ['Stale', '#b45309'],
]

const headers = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Cache-Control': 'no-cache, no-store, must-revalidate, max-age=0',
}

let count = 0

const server = createServer((_request, response) => {
  const [message, color] = messages[count++ % messages.length]
  response.writeHead(200, headers)
  response.end(makeBadge({ label: 'deployed', message, color }))
})

server.listen(0, '127.0.0.1', () => {
  console.log(`badge-maker listens on 127.0.0.1:${server.address().port}`)
})
