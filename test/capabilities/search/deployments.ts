import type { Deployment } from '../../../src/domain/deployment.ts'

/** A deployment with these fields. The others do not matter. */
export function fieldsOf(fields: Partial<Deployment>): Deployment {
  const poster = { id: 1, username: 'ada', name: 'Ada' }
  return { id: 1, message: '', url: null, category: null, deployedAt: new Date(0), poster, ...fields }
}
