import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { SettingsPage } from '../../src/views/settings/settings-page.tsx'
import { elementsOf, textOf } from '../support/markup.ts'
import { now, settings } from './samples.ts'

const token = {
  lastFour: 'kQzB',
  createdAt: new Date('2026-03-10T14:03:22Z'),
  lastUsedAt: null,
  lastUsedFrom: null,
  endsOn: null,
  old: null,
}
const old = {
  lastFour: '9aBc',
  expiresAt: new Date('2026-03-13T14:03:22Z'),
  lastUsedAt: new Date('2026-03-12T14:00:00Z'),
}

describe('the token', () => {
  test.each([
    ['generated', null, true, 'Your password'],
    ['generated', null, false, ''],
    ['rolled', token, true, 'Your password'],
    ['rolled', token, false, ''],
  ])('is %s with the password, unless it was entered a short while ago', (_, token, asksPassword, label) => {
    const page = <SettingsPage {...settings} token={token} asksPassword={asksPassword} />
    expect(textOf(page, '#token .field label')).toBe(label)
  })

  test('that was not rolled shows the reason in its open form, and in no other panel', () => {
    const refused = { panel: 'token', typed: {}, reasons: { password: ['is not your password'] } } as const
    const page = <SettingsPage {...settings} token={token} refused={refused} />
    expect(textOf(page, '.reasons')).toBe('is not your password')
    expect(textOf(page, '#token details[open] .reasons')).toBe('is not your password')
  })

  test('can be rolled with or without an overlap; without is the default', () => {
    const page = <SettingsPage {...settings} token={token} />
    expect(textOf(page, '#token summary, #token button')).toBe('Roll tokenRoll it now')
    const choices = elementsOf(page).filter(({ attributes }) => attributes.name === 'keep_old')
    expect(choices.map(({ attributes }) => [attributes.value, attributes.checked])).toEqual([
      ['', ''],
      ['24h', undefined],
    ])
  })

  test('from before a roll stops working with the next one, as the form says', () => {
    const words = 'The token that you rolled before stops working in either case.'
    expect(textOf(<SettingsPage {...settings} token={token} />, '#token')).not.toContain(words)
    expect(textOf(<SettingsPage {...settings} token={{ ...token, old }} />, '#token')).toContain(words)
  })
})

test('other sessions can be ended if there are any', () => {
  const alone = <SettingsPage {...settings} />
  expect(textOf(alone, '#sessions button')).toBe('')
  const other = { hash: 'another', device: 'Safari/26', createdAt: now, lastSeenAt: now }
  const page = <SettingsPage {...settings} sessions={[...settings.sessions, other]} />
  expect(textOf(page, '#sessions button')).toBe('Sign out everywhere else')
  expect(textOf(page, '#sessions .mark')).toBe('this one')
})

test.each(['profile', 'password', 'sessions'] as const)(
  'the result of the form of %s is in its panel and takes the focus',
  (panel) => {
    const page = <SettingsPage {...settings} notice={{ panel, text: 'It is done.' }} />
    expect(textOf(page, '[role="status"]')).toBe('It is done.')
    expect(textOf(page, `#${panel} [role="status"]`)).toBe('It is done.')
    const focused = elementsOf(page).filter(({ attributes }) => attributes.autofocus !== undefined)
    expect(focused).toEqual([{ name: 'p', attributes: { tabindex: '-1', autofocus: '' } }])
  },
)

describe('refused calls', () => {
  const refusals = Array.from({ length: 6 }, (_, n) => ({
    status: 422,
    reason: `reason ${n}`,
    source: null,
    token: null,
    refusedAt: new Date('2026-03-12T14:00:00Z'),
  }))

  test.each([
    [4, ''],
    [5, '1 earlier'],
    [6, '2 earlier'],
  ])('of %d, those that do not fit are folded: %p', (count, summary) => {
    const page = <SettingsPage {...settings} refusals={refusals.slice(0, count)} />
    expect(textOf(page, '#refusals summary')).toBe(summary)
    expect(textOf(page, '#refusals li').match(/reason/g)).toHaveLength(count)
  })
})

test('each way to announce is behind a radio button and has its copy button', () => {
  const elements = elementsOf(<SettingsPage {...settings} />)
  const tabs = elements.filter(({ attributes }) => attributes.name === 'snippet')
  expect(tabs.map(({ attributes }) => [attributes.type, attributes.checked])).toEqual([
    ['radio', ''],
    ...Array.from({ length: 8 }, () => ['radio', undefined]),
  ])
  const ids = elements.map(({ attributes }) => attributes.id)
  const copied = elements.flatMap(({ attributes }) => attributes['data-copy'] ?? [])
  expect(copied).toHaveLength(9)
  for (const id of copied) expect(ids).toContain(id)
})
