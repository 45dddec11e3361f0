import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Poster, signUpPoster } from '../support/people.ts'
import { type Service, startService } from '../support/service.ts'
import { textOf } from '../views/markup.ts'

let service: Service
let poster: Poster
let page: string
beforeAll(async () => {
  service = await startService()
  poster = await signUpPoster(service)
  page = await (await poster.get('/docs')).text()
})
afterAll(() => service.close())

describe('GET /docs', () => {
  test('is public', async () => {
    const response = await service.fetch('/docs')
    expect(response.status).toBe(200)
    expect(textOf(await response.text(), 'h1')).toBe('Docs')
  })

  test('has commands that work as they stand, once the address is right and the token is set', async () => {
    const commands = snippets(page).filter((snippet) => snippet.startsWith('curl '))
    expect(commands).toHaveLength(2)
    for (const command of commands) {
      const { status, body } = await run(command)
      expect(status).toBe('201')
      expect(JSON.parse(body)).toEqual({
        id: expect.any(Number),
        message: '✨ Saved searches',
        url: 'https://github.com/ada/engine/pull/412',
        deployed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        user: { id: expect.any(Number), name: poster.name },
        status: 'success',
        category: 'feature',
      })
    }
  })

  test('shows the answers that there are', async () => {
    const shown = snippets(page).filter((snippet) => snippet.startsWith('{'))
    const record = await poster.announce({ message: 'x', url: 'https://example.com' })
    const unauthorized = await service.fetch('/api', { method: 'POST' })
    const invalid = await poster.announce({})
    const unreadable = await poster.announce({ message: 'x' }, { 'Content-Type': 'text/plain' })
    const answers = await Promise.all([record, unauthorized, invalid, unreadable].map(keysOf))
    expect(shown.map((snippet) => Object.keys(JSON.parse(snippet)).toSorted())).toEqual(answers)
  })

  test('embeds the badge of who reads it', async () => {
    const base = 'http://shipfeed.test'
    expect(snippets(page)).toContain(
      `[![Last deployment](${base}/badge/${poster.username}.svg)](${base}/${poster.username})`,
    )
    expect(snippets(page)).toContain(
      `<img src="${base}/badge/${poster.username}.svg" alt="Last deployment" height="20">`,
    )
  })
})

async function keysOf(response: Response): Promise<string[]> {
  return Object.keys((await response.json()) as object).toSorted()
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

const base = 'http://shipfeed.test'

/** The texts that are there to be copied. */
function snippets(page: string): string[] {
  return [...page.matchAll(/<pre><code>.*?<\/code><\/pre>/gs)].map(([markup]) => textOf(markup, 'code'))
}
