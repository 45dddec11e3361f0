import { afterAll } from 'bun:test'
import { closeSharedDatabase } from './service.ts'

afterAll(closeSharedDatabase)
