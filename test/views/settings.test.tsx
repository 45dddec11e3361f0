import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { SettingsPage } from '../../src/views/settings.tsx'
import { elementsOf, textOf } from './markup.ts'
import { now, settings } from './samples.ts'

const token = { lastFour: 'kQzB', createdAt: new Date('2026-03-10T14:03:22Z'), lastUsedAt: null }
const oldToken = {
  lastFour: '9aBc',
  expiresAt: new Date('2026-03-13T14:03:22Z'),
  lastUsedAt: new Date('2026-03-12T14:00:00Z'),
  usedSinceRoll: true,
}

describe('the token', () => {
  test('can be generated where there is none', () => {
    expect(textOf(<SettingsPage {...settings} />, '#token button')).toBe('Generate token')
  })

  test('can be rolled, with or without an overlap, where there is one', () => {
    const page = <SettingsPage {...settings} token={token} />
    expect(textOf(page, '#token button')).toBe('Roll tokenRoll, and keep the old one for 24 hours')
    expect(elementsOf(page)).toContainEqual({
      name: 'button',
      attributes: { class: 'plain link', type: 'submit', name: 'keep_old', value: '24h' },
    })
  })

  test.each([
    [null, 'ship_…kQzB · created 2 days ago · never used'],
    [new Date('2026-03-12T14:00:00Z'), 'ship_…kQzB · created 2 days ago · last used 3 minutes ago'],
  ])('is told by its last four characters and its use: %p', (lastUsedAt, facts) => {
    expect(textOf(<SettingsPage {...settings} token={{ ...token, lastUsedAt }} />, '#token p')).toContain(
      facts,
    )
  })

  test('is in the page only when it is new', () => {
    const page = <SettingsPage {...settings} token={token} newToken="ship_secret" />
    expect(elementsOf(page).filter(({ attributes }) => attributes.value === 'ship_secret')).toHaveLength(1)
    expect(textOf(<SettingsPage {...settings} token={token} />, 'label[for="new-token"]')).toBe('')
  })
})

test.each([
  [true, 'Something still uses it: last 3 minutes ago.'],
  [false, 'Nothing has used it since the roll.'],
])('an old token in its overlap tells whether it is still used: %p', (usedSinceRoll, verdict) => {
  const page = <SettingsPage {...settings} token={token} oldToken={{ ...oldToken, usedSinceRoll }} />
  const text = textOf(page, '.old-token')
  expect(text).toContain('ship_…9aBc works until 13 March 2026, 14:03:22 UTC.')
  expect(text).toContain(verdict)
})

test('other sessions can be ended when there are some', () => {
  const alone = <SettingsPage {...settings} />
  expect(textOf(alone, '#sessions button')).toBe('')
  const other = { current: false, device: 'Safari on iPhone', createdAt: now, lastSeenAt: now }
  const page = <SettingsPage {...settings} sessions={[...settings.sessions, other]} />
  expect(textOf(page, '#sessions button')).toBe('Sign out everywhere else')
  expect(textOf(page, '#sessions .mark')).toBe('this one')
})

test('a notice is announced', () => {
  expect(textOf(<SettingsPage {...settings} notice="Your profile is saved." />, '[role="status"]')).toBe(
    'Your profile is saved.',
  )
})

test('a refused change keeps the typed name and takes the focus to its reason', () => {
  const page = (
    <SettingsPage {...settings} values={{ name: 'A\tB' }} reasons={{ name: ['must be one line'] }} />
  )
  const focused = elementsOf(page).find(({ attributes }) => attributes.autofocus !== undefined)
  expect(focused?.attributes).toMatchObject({
    name: 'name',
    value: 'A\tB',
    'aria-describedby': 'name-reasons',
  })
  expect(textOf(page, '#name-reasons')).toBe('must be one line')
})
