// `bun drop-database.ts SERVER NAME`: drops a database of a server, with its connections.

import postgres from 'postgres'

const [, , server = '', name = ''] = process.argv
const client = postgres(server, { max: 1, onnotice() {} })
await client.unsafe(`drop database ${name} with (force)`)
await client.end()
