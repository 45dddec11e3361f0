import { expect, test } from 'bun:test'
import { capabilities } from '../../../src/capabilities.ts'
import { signUp } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const listed = capabilities.filter(({ name }) => name !== 'members-only')
const service = await useService({ VISIBILITY: 'members' }, null, 0, listed)

test('without it, everybody may read, and the settings have no trace of read keys', async () => {
  const ada = await signUp(service)
  for (const path of ['/', `/${ada.username}`, `/badge/${ada.username}.svg`, '/api/deployments'])
    expect([path, (await service.fetch(path)).status]).toEqual([path, 200])
  expect(await (await service.fetch('/robots.txt')).text()).not.toContain('Disallow: /\n')
  expect(await (await ada.get('/settings')).text()).not.toMatch(/read.key/i)
  expect((await ada.send('/settings/read-key', {})).status).toBe(405)
})
