import { afterAll } from 'bun:test'
import { closeSharedBrowser } from './browser/visitor.ts'
import { removeBinary } from './deploy/binary.ts'
import { closeSharedDatabase } from './service.ts'

afterAll(closeSharedBrowser)
afterAll(closeSharedDatabase)
afterAll(removeBinary)
