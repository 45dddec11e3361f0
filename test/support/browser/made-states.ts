import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { seed } from '../../../src/capabilities/seed/commands.ts'
import { texts } from '../../../src/database/db.ts'
import { emptyDatabase, query } from '../database.ts'
import { spend } from '../passwords.ts'
import { type Person, password, rollToken, signIn, signUpPoster } from '../people.ts'
import type { Service } from '../service.ts'
import { webhookOf } from '../webhooks/receiver.ts'
import { untilReads, untilState, waiting } from './live-page.ts'

const long = {
  message: `Everything at once\n\n${'A word after another, and a_name_without_any_end_'.repeat(8)}\n`.repeat(
    6,
  ),
  url: `https://a-host-with-a-long-name.example/${'and/a/path/that/goes/on/'.repeat(12)}`,
}

/** The people of the seed, who can sign in, and somebody for whom everything is long. */
export async function settle(service: Service): Promise<void> {
  await emptyDatabase(service.db)
  const passwordHash = await Bun.password.hash(password, {
    algorithm: 'argon2id',
    memoryCost: 8,
    timeCost: 1,
  })
  await seed(service.db, new Date())
  await query(service.db, sql`update users set password_hash = ${passwordHash}`)
  const verified = ['https://token.actions.githubusercontent.com', 'ada/engine', 'deploy.yml']
  await query(
    service.db,
    sql`update deployments set verified = ${texts(verified)} where url like 'https://github.com/ada/engine/%'`,
  )
  const poster = await signUpPoster(service, {
    username: 'a-very-long-username-for-a-narrow-phone',
    name: 'Wolfeschlegelsteinhausenbergerdorff Hubert Blaine the Elder',
  })
  await poster.announce(long)
}

/** Three deployments wait at the top of a feed that is paused. */
export async function waitFor(page: Page, service: Service): Promise<void> {
  await untilState(page, 'Live')
  await page.click('#pause')
  const poster = await signUpPoster(service, { name: 'Katherine Johnson' })
  for (const message of ['one', 'two', 'three']) await poster.announce({ message })
  await untilReads(() => waiting(page), '3 new deployments')
}

/** The page that the link to older deployments leads to, which is put in below where there are scripts. */
export async function openOlder(page: Page): Promise<void> {
  await page.goto(new URL((await page.getAttribute('.older a', 'href')) ?? '', page.url()).href)
}

/** Everything that a profile folds is open. */
export async function openExplained(page: Page): Promise<void> {
  for (const summary of await page.locator('main details > summary:visible').all()) await summary.click()
}

/** Somebody whose old token is still used, and whose calls have been refused. */
export async function openRolled(service: Service): Promise<Person> {
  const poster = await signUpPoster(service)
  await poster.announce({ message: 'With the first token' })
  await signIn(service, poster)
  await rollToken(poster, { keep_old: '24h' })
  await poster.announce({ message: 'With the old token' })
  await poster.announce({ message: ' ', url: 'ftp://nowhere' })
  await poster.announce({ message: '' }, { 'Content-Type': 'application/xml' })
  await untilReads(async () => (await (await poster.get('/settings')).text()).includes('415'), true)
  return poster
}

/** Somebody with a webhook whose receiver is not there. */
export async function ownerOfWebhook(service: Service): Promise<Person> {
  const poster = await signUpPoster(service)
  const { id } = await webhookOf(service, poster, 'http://127.0.0.1:1/hook')
  await poster.announce(long)
  const at = `/settings/webhooks/${id}`
  await untilReads(async () => (await (await poster.get(at)).text()).includes('the connection failed'), true)
  return poster
}

/** Somebody who has been wrong too often. */
export async function openThrottled(page: Page, service: Service): Promise<void> {
  await spend(service.db, 'account', 'linus', 1_000)
  await page.fill('[name=username]', 'linus')
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForSelector('.problem-note')
}
