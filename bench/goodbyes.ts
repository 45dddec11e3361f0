// `bun bench/goodbyes.ts`: how 10,000 ended streams would return if each waited as long as it was asked to. Runs in one
// process, so that nothing else is busy.

import { opening } from '../src/http/event-stream.ts'
import { eventStreams } from '../src/http/event-streams.ts'
import { maxWithin } from './live/returning-crowd.ts'

const size = 10_000
const overMs = 2_500
const windowMs = 250

const streams = eventStreams({ perAddress: size, total: size })
const ends: number[] = []
const returns: number[] = []
const readers = Array.from({ length: size }, async () => {
  const stream = streams.open({
    address: '192.0.2.1',
    request: new Request('http://localhost'),
    server: null,
  })
  if (stream === null) throw new Error('There is no place')
  stream.send(opening(1))
  const text = await new Response(stream.body).text()
  const retries = text.match(/(?<=^retry: )\d+/gm) ?? []
  ends.push(performance.now())
  returns.push(performance.now() + Number(retries.at(-1)))
})
await streams.close(overMs)
await Promise.all(readers)
for (const [what, instants] of Object.entries({ ends, returns })) {
  const most = maxWithin(
    windowMs,
    instants.toSorted((a, b) => a - b),
  )
  console.log(`${what}: at most ${most} of ${size} in ${windowMs} ms`)
}
