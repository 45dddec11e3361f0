import { expect, test } from 'bun:test'
import { $ } from 'bun'
import { curlWithForm, curlWithJson } from '../../src/views/parts/pipeline-snippets.ts'

const example = { message: '✨ Saved searches', project: 'engine', environment: 'production' }

test('a shell reads the command with form fields as intended', async () => {
  expect(await argumentsOf(curlWithForm('https://ship.example'))).toEqual([
    'https://ship.example/api',
    '-H',
    'Authorization: Bearer ship_x',
    ...Object.entries(example).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`]),
  ])
})

test('the command with JSON sends JSON', async () => {
  const given = await argumentsOf(curlWithJson('https://ship.example'))
  expect(given.slice(0, -1)).toEqual([
    'https://ship.example/api',
    '-H',
    'Authorization: Bearer ship_x',
    '-H',
    'Content-Type: application/json',
    '-d',
  ])
  expect(JSON.parse(given.at(-1) ?? '')).toEqual(example)
})

/** What a real shell hands to curl. */
async function argumentsOf(command: string): Promise<string[]> {
  const script = `curl() { for argument in "$@"; do echo "$argument"; done; }\n${command}`
  const printed = await $`sh -c ${script}`.env({ ...process.env, SHIPFEED_TOKEN: 'ship_x' }).text()
  return printed.trimEnd().split('\n')
}
