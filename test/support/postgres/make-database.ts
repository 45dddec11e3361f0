// `bun make-database.ts PATH`: makes the folder of a local database, and nothing else.

import { dirname } from 'node:path'
import { createDatabase } from '../../../src/database/local/creation.ts'
import { findPrograms } from '../../../src/database/local/programs.ts'
import { systemUserFor } from '../../../src/database/local/system-user.ts'

const [, , path = ''] = process.argv
const programs = await findPrograms(dirname(path), null)
const user = await systemUserFor(dirname(path), path, programs)
await createDatabase({ path, programs, user }, 'password')
