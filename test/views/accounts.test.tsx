import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import fc from 'fast-check'
import { SignInPage } from '../../src/views/account/sign-in.tsx'
import { SignUpPage } from '../../src/views/account/sign-up.tsx'
import { elementsOf, textOf } from '../support/markup.ts'
import { site } from './samples.ts'

const values = { username: 'a--b', name: 'Ada' }

describe('sign up', () => {
  test('keeps what was typed, to the letter', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', '&lt;', '"', '&amp;quot;'),
        (text, end) => {
          const name = text + end
          expect(
            field(<SignUpPage site={site} values={{ ...values, name }} reasons={{}} problem={null} />, 'name')
              ?.value,
          ).toBe(name)
        },
      ),
    )
  })

  test('never gives a password back', () => {
    const page = (
      <SignUpPage site={site} values={values} reasons={{ password: ['is too short'] }} problem={null} />
    )
    expect(field(page, 'password')?.value).toBeUndefined()
  })

  test('shows each reason at its field', () => {
    const page = (
      <SignUpPage
        site={site}
        values={values}
        reasons={{ name: ["can't be blank", 'is odd'] }}
        problem={null}
      />
    )
    expect(field(page, 'name')).toMatchObject({
      'aria-invalid': 'true',
      'aria-describedby': 'name-hint name-reasons',
    })
    expect(textOf(page, '#name-reasons')).toBe("can't be blankis odd")
    expect(field(page, 'username')?.['aria-invalid']).toBeUndefined()
  })

  test.each([
    ['the first field', {}, 'username'],
    ['the first invalid field', { password: ['x'], name: ['x'] }, 'name'],
  ])('puts the focus on %s', (_, reasons, focused) => {
    expect(focusOf(<SignUpPage site={site} values={values} reasons={reasons} problem={null} />)).toEqual([
      focused,
    ])
  })
})

describe('sign in', () => {
  test('says what is wrong and asks for the password again', () => {
    const page = <SignInPage site={site} viewer={null} username="ada" problem="Wrong." next={null} />
    expect(textOf(page, '[role="alert"]')).toBe('Wrong.')
    expect(field(page, 'username')?.value).toBe('ada')
    expect(focusOf(page)).toEqual(['password'])
  })

  test('remembers where one was going', () => {
    const page = <SignInPage site={site} viewer={null} username="" problem={null} next="/settings?a=1&b=2" />
    expect(field(page, 'next')).toEqual({ type: 'hidden', name: 'next', value: '/settings?a=1&b=2' })
    expect(focusOf(page)).toEqual(['username'])
  })
})

function field(page: unknown, name: string) {
  return elementsOf(page).find((element) => element.name === 'input' && element.attributes.name === name)
    ?.attributes
}

function focusOf(page: unknown) {
  const focused = elementsOf(page).filter(({ attributes }) => attributes.autofocus !== undefined)
  return focused.map(({ attributes }) => attributes.name)
}
