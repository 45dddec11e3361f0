import { expect, test } from 'bun:test'
import { standbysCapability } from '../../../src/capabilities/standbys/capability.ts'
import { configurationOf } from '../../support/configuration.ts'

const primary = 'postgres://h/d'
const standbys = 'postgres://north,south/d'

const switchedOn = (env: Record<string, string>) =>
  configurationOf(env, [standbysCapability]).configured.length > 0

test('only DATABASE_READ_URL switches standbys on', () => {
  expect(switchedOn({})).toBeFalse()
  expect(switchedOn({ DATABASE_URL: primary })).toBeFalse()
  expect(switchedOn({ DATABASE_URL: primary, DATABASE_READ_URL: '', READS: '' })).toBeFalse()
  expect(switchedOn({ DATABASE_URL: primary, DATABASE_READ_URL: standbys })).toBeTrue()
  expect(switchedOn({ DATABASE_URL: primary, DATABASE_READ_URL: standbys, READS: 'eventual' })).toBeTrue()
})

test.each(['DATABASE_READ_URL', 'DATABASE_READ_URL_FILE', 'READS'])(
  '%s is refused without a Postgres of one’s own',
  (name) => {
    const value = name === 'READS' ? 'eventual' : standbys
    const says = `${name} is for a Postgres of your own: set DATABASE_URL too, or unset ${name}`
    expect(() => switchedOn({ [name]: value })).toThrow(says)
  },
)

test('READS is refused without standbys, and unless it is one of its words', () => {
  expect(() => switchedOn({ DATABASE_URL: primary, READS: 'eventual' })).toThrow(
    'READS is for standbys: set DATABASE_READ_URL too, or unset READS',
  )
  expect(() =>
    switchedOn({ DATABASE_URL: primary, DATABASE_READ_URL: standbys, READS: 'sometimes' }),
  ).toThrow('READS is "sometimes": set one of current, eventual')
})

test('a wrong address is refused', () => {
  expect(() => switchedOn({ DATABASE_URL: primary, DATABASE_READ_URL: 'mysql://h/d' })).toThrow(
    'DATABASE_READ_URL is not a Postgres address',
  )
})
