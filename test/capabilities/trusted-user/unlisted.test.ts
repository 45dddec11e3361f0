import { expect, test } from 'bun:test'
import { capabilities } from '../../../src/capabilities.ts'
import { signUp } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const proxied = { TRUSTED_USER_HEADER: 'Remote-User', TRUSTED_PROXIES: '127.0.0.1' }
const listed = capabilities.filter(({ name }) => name !== 'trusted-user')
const service = await useService(proxied, null, 0, listed)

test('without it, no header signs anybody in, and passwords do', async () => {
  const ada = await signUp(service)
  const asked = await service.fetch('/settings', { headers: { 'Remote-User': ada.username } })
  expect([asked.status, asked.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fsettings'])
  expect((await service.fetch('/sign-in')).status).toBe(200)
  expect(await (await ada.get('/settings')).text()).toContain('id="password"')
})
