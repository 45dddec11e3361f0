import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { bodyForms, post } from '../../support/api.ts'
import { type StoredDeployment, storedDeployments } from '../../support/deployments.ts'
import { type Entry, entriesOf, lettersIn, lettersListed } from '../../support/markup.ts'
import { inParallel } from '../../support/parallel.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { type Service, startService } from '../../support/service.ts'

type Announcement = { readonly message: string; readonly url: string }
type Answer = {
  readonly status: number
  readonly record: { readonly id: number; readonly message: string } & Row
}
type Row = { readonly url: string | null; readonly category: string | null }

const file = new URL('../../../../shared/data/announcements.jsonl', import.meta.url)
const isAbsent = !existsSync(file)
if (isAbsent) console.warn(`LEFT OUT: the 2,100 real announcements, for there is no ${file.pathname}`)
const announcements = isAbsent ? [] : readAnnouncements()

/** Multipart takes the same path as a form once it is read: a sample is enough. */
const sent = {
  json: announcements,
  form: announcements,
  multipart: announcements.filter((_, index) => index % 10 === 0),
} as const

const labels: Readonly<Record<string, string>> = {
  feature: 'feature',
  bug_fix: 'bug fix',
  performance_improvement: 'performance improvement',
  styling_change: 'styling change',
}

// Left out, not skipped: CI takes what is skipped on Postgres for a missing program.
if (!isAbsent) describe('the real announcements', examine)

function examine(): void {
  let service: Service
  let feed: ReadonlyMap<number, Entry>

  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  test('are 2,100, of which one has a control character', () => {
    expect(announcements).toHaveLength(2_100)
    expect(announcements.filter(({ message }) => message.includes('\u0007'))).toHaveLength(1)
  })

  describe.each(['json', 'form', 'multipart'] as const)('by %s', (form) => {
    let poster: Poster
    let answers: Answer[]
    let stored: ReadonlyMap<number, StoredDeployment>

    beforeAll(async () => {
      poster = await signUpPoster(service)
      answers = await inParallel(sent[form], 16, (announcement) =>
        announce(service, poster, form, announcement),
      )
      stored = byId(await storedDeployments(service.db, poster.username))
      const ids = [...stored.keys()]
      feed = await readFeed(service, Math.max(...ids), Math.min(...ids))
    })

    test('each is echoed byte for byte', () => {
      for (const [index, { status, record }] of answers.entries()) {
        expect(status).toBe(201)
        expect(record).toMatchObject(sent[form][index] ?? {})
      }
    })

    test('each is stored, and nothing else', () => {
      expect(stored.size).toBe(sent[form].length)
      for (const [index, { record }] of answers.entries()) {
        expect(stored.get(record.id)).toMatchObject(sent[form][index] ?? {})
      }
    })

    test('each is shown on the feed as text, with its category', () => {
      for (const { record } of answers) {
        const { message = '', label } = feed.get(record.id) ?? {}
        expect(lettersIn(message)).toBe(lettersListed(record.message))
        expect(label).toBe(record.category === null ? '' : (labels[record.category] ?? 'no such label'))
      }
    })
  })
}

function readAnnouncements(): Announcement[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Announcement)
}

async function announce(
  service: Service,
  { token }: Poster,
  form: keyof typeof bodyForms,
  announcement: Announcement,
): Promise<Answer> {
  const response = await post(service, token, bodyForms[form](announcement))
  return { status: response.status, record: (await response.json()) as Answer['record'] }
}

/** Walks the pages of the global feed from one id down to another. */
async function readFeed(service: Service, newest: number, oldest: number): Promise<Map<number, Entry>> {
  const entries = new Map<number, Entry>()
  for (let before = newest + 1; before > oldest; ) {
    const page = await entriesOf(await service.fetch(`/?before=${before}`))
    for (const entry of page) entries.set(entry.id, entry)
    before = page.at(-1)?.id ?? oldest
  }
  return entries
}

function byId(rows: readonly StoredDeployment[]): ReadonlyMap<number, StoredDeployment> {
  return new Map(rows.map((row) => [row.id, row]))
}
