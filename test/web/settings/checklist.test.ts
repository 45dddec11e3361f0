import { describe, expect, test } from 'bun:test'
import { addImport, release } from '../../support/api.ts'
import { elementsOf, textOf } from '../../support/markup.ts'
import { type Person, rollToken, signUp, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

async function settings(person: Person): Promise<string> {
  return await (await person.get('/settings')).text()
}

/** The titles of the steps that are done, and of the one that is on. */
function stepsOf(page: string): { done: string; now: string } {
  return { done: textOf(page, '.step.done > div > h3'), now: textOf(page, '.step.now > div > h3') }
}

describe('the settings of a newcomer', () => {
  test('lead by four steps to the first deployment and its badge', async () => {
    const ada = await signUp(service)
    expect(stepsOf(await settings(ada))).toEqual({ done: '', now: 'Token' })
    await rollToken(ada)
    const waiting = await settings(ada)
    expect(stepsOf(waiting)).toEqual({ done: 'Token, done', now: 'Announce' })
    expect(textOf(waiting, '#checklist header')).toContain('1 of 4')
  })

  test('offer history below the steps, until there is some', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'x' })
    expect(textOf(await settings(poster), '#checklist header')).toContain('3 of 4')
    expect(textOf(await settings(poster), '#history-line')).toBe(
      'curl -fsSL http://shipfeed.test/ci/history.sh | sh',
    )
    await addImport(service, poster, [release(1, '2020-01-01T00:00:00Z')])
    const page = await settings(poster)
    expect(textOf(page, '#history-line')).toBe('')
    expect(stepsOf(page)).toMatchObject({ done: expect.stringMatching(/Your history, done$/) })
    expect(textOf(page, '#checklist header')).toContain('3 of 4')
  })

  test('show each panel once, whether in a step or by itself', async () => {
    const poster = await signUpPoster(service)
    const panels = async () =>
      elementsOf(await settings(poster))
        .map(({ attributes }) => attributes.id)
        .filter((id) => ['token', 'announce', 'refusals', 'checklist'].includes(id ?? ''))
    expect(await panels()).toEqual(['checklist', 'token', 'announce'])
    await poster.announce({ message: 'x' })
    expect(await panels()).toEqual(['checklist', 'token', 'announce', 'refusals'])
    expect(textOf(await settings(poster), '#checklist #token')).toBe('')
  })

  test('show the first deployment, also when others followed', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'the first of <all>' })
    await poster.announce({ message: 'the second' })
    const page = await settings(poster)
    expect(textOf(page, '#checklist .subject')).toBe('the first of <all>')
    expect(stepsOf(page).now).toBe('Embed the badge')
    expect(textOf(page, '#checklist header')).toContain('3 of 4')
    expect(textOf(page, '#checklist-badge')).toContain(`/badge/${poster.username}.svg`)
  })

  test('show what was refused, next to the step that is awaited', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: '' })
    const refused = async () => textOf(await settings(poster), '.step.open #refusals')
    while ((await refused()) === '') await Bun.sleep(20)
    expect(await refused()).toContain("422 message can't be blank")
  })

  test('no longer have the checklist once it is hidden, in any browser', async () => {
    const ada = await signUp(service)
    const hidden = await ada.send('/settings/checklist', {})
    expect([hidden.status, hidden.headers.get('location')]).toEqual([303, '/settings'])
    expect(elementsOf(await settings(ada)).some(({ attributes }) => attributes.id === 'checklist')).toBe(
      false,
    )
    expect(textOf(await settings(ada), '#token h2')).toBe('API token')
  })
})

test('A new token is offered as a line for the terminal', async () => {
  const ada = await signUp(service)
  const rolled = await ada.send('/settings/token', {})
  const cookies = `${ada.cookie}; ${rolled.headers.getSetCookie()[0]?.split(';')[0]}`
  const page = await (await ada.get('/settings', { Cookie: cookies })).text()
  expect(textOf(page, '#new-token-export')).toMatch(/^export SHIPFEED_TOKEN=ship_[0-9A-Za-z]{36}$/)
})
