import { expect, test } from 'bun:test'
import { capabilities } from '../../../src/capabilities.ts'
import { expectError } from '../../support/api.ts'
import { signUp } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const listed = capabilities.filter(({ name }) => name !== 'publishers')
const service = await useService({ OIDC_ISSUERS: 'https://gitlab.com' }, null, 0, listed)

test('without it, nothing takes identity tokens, and the settings have no trace of publishers', async () => {
  const ada = await signUp(service)
  const jwt = { method: 'POST', body: JSON.stringify({ jwt: 'x', user: ada.username }) }
  for (const init of [jwt, { method: 'DELETE' }])
    await expectError(await fetch(`${service.url}/api/oidc`, init), 404, 'not_found')
  expect(await (await ada.get('/settings')).text()).not.toMatch(/publisher/i)
  expect((await ada.send('/settings/publishers', { issuer: 'https://gitlab.com' })).status).toBe(405)
})
