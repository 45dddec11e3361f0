import { expect, test } from 'bun:test'
import { awaitedStandbys, followerName } from '../../../src/capabilities/standbys/fitness.ts'

test.each([
  ['FIRST 2 (north, south)', ['north', 'south']],
  ['first 2 (north,south)', ['north', 'south']],
  ['ANY 2 (north, south)', ['north', 'south']],
  ['2 (north, south)', ['north', 'south']],
  ['north', ['north']],
  [' North ', ['north']],
  ['1 ("a ""b"", (c)")', ['a "b", (c)']],
])('with synchronous_standby_names = %s, a commit waits for %j', (setting, names) => {
  expect(awaitedStandbys(setting)).toEqual(names)
})

test.each([
  '',
  ' ',
  'north, south',
  'FIRST 1 (north, south)',
  'ANY 1 (north, south)',
  '*',
  '1 (*)',
  '2 (north)',
])('with synchronous_standby_names = %j, a commit does not wait for all', (setting) => {
  expect(awaitedStandbys(setting)).toBeNull()
})

test.each([
  ['user=r application_name=North host=h fallback_application_name=walreceiver', 'north'],
  ["host=h application_name='north east'", 'north east'],
  ["application_name='it\\'s' host=h", "it's"],
  ['host=h fallback_application_name=walreceiver', 'walreceiver'],
  ['host=h', null],
])('a standby that connects with %s has the right name', (conninfo, name) => {
  expect(followerName(conninfo)).toBe(name)
})
