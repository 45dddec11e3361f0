import { afterAll } from 'bun:test'
import { removeBinary } from './deploy/binary.ts'
import { rememberPasswords } from './passwords.ts'
import { leaveSharedDatabase } from './service.ts'

rememberPasswords()
afterAll(leaveSharedDatabase)
afterAll(removeBinary)
