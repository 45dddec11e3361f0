import { describe, expect, test } from 'bun:test'
import { choiceOf } from '../../../src/badge/badge.ts'
import { badgeEndpointOf } from '../../../src/web/badge/image.ts'
import { everyBadge, statuses, wordsDrawn } from '../../badge/every-badge.ts'

describe('the endpoint', () => {
  test('gives the status in the schema of shields', () => {
    expect(badgeEndpointOf({ status: 'Fresh', age: null })).toEqual({
      schemaVersion: 1,
      label: 'deployed',
      message: 'Fresh',
      color: '#1a7f37',
      isError: false,
    })
  })

  test('is an error only if the user or the status is unknown', () => {
    expect(statuses.filter((status) => badgeEndpointOf({ status, age: null }).isError)).toEqual([
      'Unknown',
      'Unavailable',
    ])
  })

  test('has the words and the colour of each image, whatever it says', () => {
    for (const { choice, svg, ...facts } of everyBadge) {
      const { label, message, color } = badgeEndpointOf(facts, choice)
      expect(wordsDrawn(svg)).toEqual(choice.style === 'dot' ? [message] : [label, message])
      expect(svg).toContain(`fill="${color}"`)
    }
  })

  test('has the label that was asked for', () => {
    const choice = choiceOf({ label: 'production', show: 'age' })
    const age = { words: '2 hours ago', short: '2 h ago' }
    expect(badgeEndpointOf({ status: 'Fresh', age }, choice)).toMatchObject({
      label: 'production',
      message: '2 h ago',
    })
  })
})
