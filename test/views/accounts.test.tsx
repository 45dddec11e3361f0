import { expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import fc from 'fast-check'
import type { Reasons } from '../../src/domain/field-parsing.ts'
import { SignInPage } from '../../src/views/account/sign-in-page.tsx'
import { SignUpPage } from '../../src/views/account/sign-up-page.tsx'
import { focusedIn } from '../support/forms.ts'
import { elementsOf, textOf } from '../support/markup.ts'
import { site } from './samples.ts'

const signUpPage = (typed: { username: string; name: string }, reasons: Reasons = {}) => (
  <SignUpPage site={site} form={{ typed, reasons }} />
)
const values = { username: 'a--b', name: 'Ada' }

test('sign-up keeps the input exactly', () => {
  const ends = fc.constantFrom('', '&lt;', '"', '&amp;quot;')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), ends, (text, end) => {
      const name = text + end
      expect(field(signUpPage({ ...values, name }), 'name')?.value).toBe(name)
    }),
  )
})

test('sign-up shows each reason at its field', () => {
  const page = signUpPage(values, { name: ["can't be blank", 'is odd'] })
  expect(field(page, 'name')).toMatchObject({
    'aria-invalid': 'true',
    'aria-describedby': 'name-hint name-reasons',
  })
  expect(textOf(page, '#name-reasons')).toBe("can't be blankis odd")
  expect(field(page, 'username')?.['aria-invalid']).toBeUndefined()
})

test('the focus is on the first field, on the first invalid one, or on the password after a failed sign-in', () => {
  expect(focusedIn(signUpPage(values))).toEqual(['username'])
  expect(focusedIn(signUpPage(values, { name: ['x'], password: ['x'] }))).toEqual(['name'])
  const page = (
    <SignInPage
      site={site}
      form={{ typed: { username: 'ada' }, reasons: {}, problem: 'Wrong.' }}
      notice={null}
      next={null}
    />
  )
  expect(textOf(page, '[role="alert"]')).toBe('Wrong.')
  expect(focusedIn(page)).toEqual(['password'])
})

function field(page: unknown, name: string) {
  return elementsOf(page).find((element) => element.name === 'input' && element.attributes.name === name)
    ?.attributes
}
