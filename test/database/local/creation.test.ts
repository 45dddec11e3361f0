import { afterAll, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { canChange, startIn } from '../../support/local/machine.ts'
import { endOf, linesOf, temporaryDirectory } from '../../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

test.skipIf(!canChange)(
  'A database for which there is no room is not made, and one line says why (needs root and mounts)',
  async () => {
    const disk = join(directory.path, 'disk')
    mkdirSync(disk)
    const environment = { DATA_DIR: join(disk, 'data') }
    const changes = [`mount -t tmpfs -o size=12m none ${disk}`]
    const { code, output } = await endOf(startIn({ environment, changes }))
    expect([code, linesOf(output).others]).toEqual([
      1,
      [
        expect.stringMatching(
          /^Shipfeed cannot start: a database cannot be created in .*\/data\/postgres \(could not .*: No space left on device\): check the free space and the permissions of its folder$/,
        ),
      ],
    ])
  },
)
