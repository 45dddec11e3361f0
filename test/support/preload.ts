import { afterAll } from 'bun:test'
import { removeBinary } from './deploy/binary.ts'
import { rememberPasswords } from './passwords.ts'
import { endProcesses } from './process.ts'
import { leaveSharedDatabase } from './service.ts'

rememberPasswords()
afterAll(leaveSharedDatabase)
afterAll(endProcesses)
afterAll(removeBinary)
