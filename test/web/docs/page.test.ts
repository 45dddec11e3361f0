import { describe, expect, test } from 'bun:test'
import { wordsDrawn } from '../../badge/every-badge.ts'
import { elementsOf, textOf } from '../../support/markup.ts'
import { needing } from '../../support/needs/needs.ts'
import { signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const { test: testWithCurl } = needing('curl')
const service = await useService()
const poster = await signUpPoster(service)
const page = await (await poster.get('/docs')).text()

describe('GET /docs', () => {
  test('is public', async () => {
    const response = await service.fetch('/docs')
    expect(response.status).toBe(200)
    expect(textOf(await response.text(), 'h1')).toBe('Docs')
  })

  testWithCurl('has commands that work unchanged, once the address and the token are set', async () => {
    const commands = snippets(page).filter((snippet) =>
      /^curl http(?!.*(ce-specversion|api\/history))/s.test(snippet),
    )
    expect(commands).toHaveLength(2)
    let previous: { id: number; page: string } | undefined
    for (const command of commands) {
      const { status, body } = await run(command)
      expect(status).toBe('201')
      const record = JSON.parse(body)
      expect(record).toEqual({
        ...(previous === undefined ? {} : { previous }),
        id: expect.any(Number),
        message: '✨ Saved searches',
        url: null,
        project: 'engine',
        environment: 'production',
        deployed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        user: { id: expect.any(Number), name: poster.name },
        username: poster.username,
        status: 'success',
        page: expect.stringContaining(`/${poster.username}/`),
        category: 'feature',
      })
      previous = { id: record.id, page: record.page }
    }
  })

  testWithCurl('has history that is added unchanged', async () => {
    const [command = ''] = snippets(page).filter((snippet) => /^curl \S+\/api\/history/.test(snippet))
    const { status, body } = await run(command)
    expect([status, JSON.parse(body)]).toEqual(['200', { added: 2, known: 0, refused: [] }])
  })

  testWithCurl('has events that are accepted unchanged', async () => {
    const sent = snippets(page).filter((snippet) => snippet.includes('ce-specversion: 1.0'))
    expect(sent).toHaveLength(2)
    const [command = '', step = ''] = sent
    const inTekton = step.slice(step.indexOf('    curl ')).replace('$(context.taskRun.name)', 'run-1')
    for (const event of [command, inTekton.replace(/ \|\| true$/, '')]) {
      const { status, body } = await run(event)
      expect(status).toBe('201')
      expect(JSON.parse(body)).toMatchObject({
        message: 'engine deployed to production',
        environment: 'production',
        version: 'v2.4.0',
      })
    }
  })

  testWithCurl('has commands that read the feed unchanged', async () => {
    await poster.announce({ message: 'To be read' })
    const commands = snippets(page).filter((snippet) => /^curl (-N )?"/.test(snippet))
    const [list, stream] = await Promise.all(commands.map((command) => run(`${command} --max-time 1`)))
    expect(list?.status).toBe('200')
    expect(JSON.parse(list?.body ?? '').deployments[0].message).toBe('To be read')
    expect(stream).toEqual({ status: '200', body: expect.stringContaining('event: opening') })
  })

  test('states the limits that are enforced', async () => {
    const limits = textOf(page, '#limits dl')
    const bytes = numberIn(limits, /message([\d,]+) bytes/)
    expect((await poster.announce({ message: 'a'.repeat(bytes) })).status).toBe(201)
    expect((await poster.announce({ message: 'a'.repeat(bytes + 1) })).status).toBe(422)
    const characters = numberIn(limits, /url([\d,]+) characters/)
    const url = 'https://example.com/'.padEnd(characters, 'a')
    expect((await poster.announce({ message: 'x', url })).status).toBe(201)
    expect((await poster.announce({ message: 'x', url: `${url}a` })).status).toBe(422)
    const whole = numberIn(limits, /whole body([\d,]+) bytes/)
    const body = { message: 'x', padding: '' }
    const padding = 'a'.repeat(whole - JSON.stringify(body).length)
    expect((await poster.announce({ ...body, padding })).status).toBe(201)
    expect((await poster.announce({ ...body, padding: `${padding}a` })).status).toBe(413)
    const key = 'k'.repeat(numberIn(limits, /1 to (\d+) visible/))
    expect((await poster.announce({ message: 'x' }, { 'Idempotency-Key': key })).status).toBe(201)
    expect((await poster.announce({ message: 'x' }, { 'Idempotency-Key': `${key}k` })).status).toBe(400)
  })

  test.each([
    ['0', 'announcementsno limit'],
    ['7', 'announcements7 per user in any minute'],
  ])('says this installation’s rate: %s', async (RATE_LIMIT_PER_MINUTE, said) => {
    await using limited = await startService({ RATE_LIMIT_PER_MINUTE })
    expect(textOf(await (await limited.fetch('/docs')).text(), '#limits dl')).toContain(said)
  })

  test('shows the badge of the signed-in user', async () => {
    const base = 'http://shipfeed.test'
    expect(snippets(page)).toContain(
      `[![Last deployment](${base}/badge/${poster.username}.svg?show=age)](${base}/${poster.username})`,
    )
    expect(snippets(page)).toContain(
      `<img src="${base}/badge/${poster.username}.svg?show=age" alt="Last deployment" height="20">`,
    )
  })
})

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1]?.replaceAll(',', ''))
}

/** Runs a command of the docs in a shell, with the real curl. */
async function run(command: string): Promise<{ status: string; body: string }> {
  const shell = Bun.spawn(['sh', '-c', `${command} -sS -w '\\n%{http_code}'`.replace(base, service.url)], {
    env: { PATH: process.env.PATH ?? '', SHIPFEED_TOKEN: poster.token },
    stderr: 'inherit',
  })
  const output = await new Response(shell.stdout).text()
  const end = output.lastIndexOf('\n')
  return { status: output.slice(end + 1), body: output.slice(0, end) }
}

test('each example of a badge is the picture that its text names', async () => {
  const examples = elementsOf(page).filter(({ attributes }) => attributes.src?.includes('/badge-') === true)
  const names = examples.map(async ({ attributes: { src = '', alt = '' } }) => {
    const svg = await (await service.fetch(src)).text()
    return [alt, wordsDrawn(svg).join(' ')] as const
  })
  const drawn = await Promise.all(names)
  expect(drawn).toContainEqual(['Stale', 'deployed Stale'])
  expect(drawn).toContainEqual(['The dot style', 'Fresh'])
  expect(drawn).toContainEqual(['staging v3.2, production v3.0', 'staging v3.2 production v3.0'])
})

const base = 'http://shipfeed.test'

/** The snippets of a page. */
function snippets(page: string): string[] {
  return [...page.matchAll(/<pre[^>]*><code[^>]*>.*?<\/code><\/pre>/gs)].map(([markup]) =>
    textOf(markup, 'code'),
  )
}
