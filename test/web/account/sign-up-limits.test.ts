import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sendForm } from '../../support/forms.ts'
import { age } from '../../support/passwords.ts'
import { behindProxy, fromNewAddress, password, signIn, signUp } from '../../support/people.ts'
import { type Service, startService } from '../../support/service.ts'

let count = 0

/** An account that nobody has yet. */
function newAccount() {
  count += 1
  return { username: `limited-${count}`, name: 'Limited', password }
}

describe('SIGN_UPS_PER_HOUR=3', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ ...behindProxy, SIGN_UPS_PER_HOUR: '3' })
  })
  afterAll(() => service.close())

  test('of 10 sign-ups at once from one address exactly 3 pass; the others wait', async () => {
    const from = fromNewAddress()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendForm(service, '/sign-up', newAccount(), from)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([303, 303, 303, ...Array(7).fill(429)])
    for (const answer of answers.filter(({ status }) => status === 429)) {
      const seconds = Number(answer.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(3_500)
      expect(seconds).toBeLessThanOrEqual(3_600)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await sendForm(service, '/sign-up', newAccount(), fromNewAddress())).status).toBe(303)
  })

  test('a refused form and a taken username do not count', async () => {
    const from = fromNewAddress()
    const taken = newAccount()
    expect((await sendForm(service, '/sign-up', taken, from)).status).toBe(303)
    for (let n = 0; n < 5; n += 1) {
      expect((await sendForm(service, '/sign-up', taken, from)).status).toBe(422)
      expect((await sendForm(service, '/sign-up', { ...newAccount(), name: '' }, from)).status).toBe(422)
    }
    expect((await sendForm(service, '/sign-up', newAccount(), from)).status).toBe(303)
    expect((await sendForm(service, '/sign-up', newAccount(), from)).status).toBe(303)
    expect((await sendForm(service, '/sign-up', newAccount(), from)).status).toBe(429)
  })

  test('the hour rolls: a place is free once the oldest is an hour old, and no earlier', async () => {
    const from = fromNewAddress()
    for (let n = 0; n < 3; n += 1) await sendForm(service, '/sign-up', newAccount(), from)
    const subject = from['X-Forwarded-For'] ?? ''
    await age(service.db, subject, '59 minutes')
    expect((await sendForm(service, '/sign-up', newAccount(), from)).status).toBe(429)
    await age(service.db, subject, '1 minute')
    expect((await sendForm(service, '/sign-up', newAccount(), from)).status).toBe(303)
  })
})

describe('REGISTRATION=closed', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ REGISTRATION: 'closed' })
  })
  afterAll(() => service.close())

  test('the form is 403 and is not offered', async () => {
    expect((await service.fetch('/sign-up')).status).toBe(403)
    const response = await service.fetch('/sign-in')
    expect(response.status).toBe(200)
    expect(await response.text()).not.toContain('/sign-up')
  })

  test('a sign-up is 403 and makes no account', async () => {
    const account = newAccount()
    expect((await sendForm(service, '/sign-up', account)).status).toBe(403)
    expect((await service.fetch(`/${account.username}`)).status).toBe(404)
  })

  test('those who have an account still sign in', async () => {
    await using open = await startService()
    const person = await signUp(open)
    expect((await (await signIn(service, person)).get('/settings')).status).toBe(200)
  })
})
