import { describe, expect, test } from 'bun:test'
import { endpointOf } from '../../src/badge/endpoint.ts'
import { everyBadge, statuses } from './every-badge.ts'

describe('the endpoint', () => {
  test('tells the status in the schema of shields', () => {
    expect(endpointOf('Fresh')).toEqual({
      schemaVersion: 1,
      label: 'deployed',
      message: 'Fresh',
      color: '#1a7f37',
      isError: false,
    })
  })

  test('is an error when the user is unknown or nobody can tell, and only then', () => {
    expect(statuses.filter((status) => endpointOf(status).isError)).toEqual(['Unknown', 'Unavailable'])
  })

  test('has the words and the colour of each image', () => {
    for (const { status, svg } of everyBadge) {
      const { label, message, color } = endpointOf(status)
      expect(svg).toContain(`<title>${label}: ${message}`)
      expect(svg).toContain(`fill="${color}"`)
    }
  })
})
