import { expect, test } from 'bun:test'
import { capabilities } from '../../src/capabilities.ts'
import { signUpPoster } from '../support/people.ts'
import { type Service, startService, useService } from '../support/service.ts'

/** Each capability that adds to pages of the core: its addresses, and what those pages have of it. */
const parts = [
  {
    name: 'abuse-reports',
    addresses: ['/ada/<id>/report'],
    traces: ['/report"'],
  },
  {
    name: 'pictures',
    addresses: ['/card.png', '/ada/card.png', '/ada/<id>/card.png'],
    traces: ['card.png', 'og:image', 'twitter:card'],
  },
  {
    name: 'feeds',
    addresses: ['/feed.atom', '/feed.json', '/ada/feed.atom', '/ada/feed.json'],
    traces: ['feed.atom', 'feed.json'],
  },
  {
    name: 'changelog',
    addresses: ['/oembed?url=http://shipfeed.test/ada/github.com/ada/engine'],
    traces: ['/changelog"'],
  },
  { name: 'wall', addresses: ['/wall'], traces: ['"/wall', 'Wallboard'] },
  {
    name: 'environments',
    addresses: ['/ada/-/environments', '/api/current?user=ada'],
    traces: ['/-/environments'],
  },
  // Its addresses are below those of projects, as those of the pictures in the test below.
  { name: 'releases', addresses: [], traces: ['/releases'] },
]

const environment = { REPORTS: 'on' }
const service = await useService(environment)
const ada = await signUpPoster(service, { username: 'ada' })
const url = 'https://github.com/ada/engine'
await ada.announced({ message: 'x', url, environment: 'staging' })
const id = await ada.announced({ message: 'y', url, environment: 'production', version: 'v1' })

const at = (address: string) => address.replace('<id>', String(id))

/** Not by its own `fetch`, which refuses answers that the OpenAPI document does not describe. */
const ask = ({ url }: Service, address: string) => fetch(url + at(address), { redirect: 'manual' })

/** The pages of the core, and of the capabilities that link to another. */
async function pagesOf(of: Service, left: string): Promise<string> {
  const others = left === 'environments' ? [] : ['/ada/-/environments']
  const addresses = ['/', '/ada', '/ada/github.com/ada/engine', '/ada/<id>', '/status', ...others]
  const responses = await Promise.all(addresses.map((address) => ask(of, address)))
  expect(responses.map(({ status }) => status)).toEqual(addresses.map(() => 200))
  return (await Promise.all(responses.map((response) => response.text()))).join('\n')
}

const without = async (name: string) => {
  const listed = capabilities.filter((capability) => capability.name !== name)
  expect(listed).toHaveLength(capabilities.length - 1)
  return await startService(environment, service.db, 0, listed)
}

test.each(parts)('without $name its addresses are 404, and no page links to it', async (part) => {
  const { name, addresses, traces } = part
  await using rest = await without(name)
  const statuses = async (of: Service) =>
    await Promise.all(addresses.map(async (address) => (await ask(of, address)).status))
  const here = await pagesOf(service, '')
  const there = await pagesOf(rest, name)
  expect(traces.filter((trace) => !here.includes(trace))).toEqual([])
  expect(traces.filter((trace) => there.includes(trace))).toEqual([])
  expect(await statuses(service)).toEqual(addresses.map(() => 200))
  expect(await statuses(rest)).toEqual(addresses.map(() => 404))
  expect(await (await ask(rest, '/ada')).text()).toContain('id="embed"')
  expect((await ask(rest, '/ada/year.svg')).status).toBe(200)
})

test('without pictures, the picture of a project redirects to the project, as every unknown name below it does', async () => {
  await using rest = await without('pictures')
  const project = '/ada/github.com/ada/engine'
  for (const name of ['card.png', 'anything']) {
    const { status, headers } = await ask(rest, `${project}/${name}`)
    expect([status, headers.get('location')]).toEqual([308, project])
  }
  expect((await ask(rest, `${project}/year.svg`)).status).toBe(200)
  expect((await ask(service, `${project}/card.png`)).headers.get('content-type')).toBe('image/png')
})
