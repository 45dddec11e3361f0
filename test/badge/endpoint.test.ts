import { describe, expect, test } from 'bun:test'
import { endpointOf } from '../../src/badge/endpoint.ts'
import { everyBadge, statuses, wordOfStatus } from './every-badge.ts'

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

  test.each(statuses)('says the word of the badge: %s', (status) => {
    expect(endpointOf(status).message).toBe(wordOfStatus[status])
  })

  test('is an error when the user is unknown or nobody can tell, and only then', () => {
    expect(statuses.filter((status) => endpointOf(status).isError)).toEqual(['Unknown', 'Unavailable'])
  })

  test.each(everyBadge.map((badge) => [badge.name, badge] as const))(
    'has the words and the colour of the image: %s',
    (_, badge) => {
      const { label, message, color } = endpointOf(badge.status)
      expect(badge.svg).toContain(`<title>${label}: ${message}`)
      expect(badge.svg).toContain(`fill="${color}"`)
    },
  )
})
