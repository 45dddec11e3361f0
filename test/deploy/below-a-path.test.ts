import { afterAll, beforeAll, expect } from 'bun:test'
import { openLive, outline, untilReads } from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { startNginx } from '../support/deploy/nginx.ts'
import { codeUnder } from '../support/deploy/operations.ts'
import { outcomeOf } from '../support/deploy/programs.ts'
import { needing } from '../support/needs/needs.ts'
import { password } from '../support/people.ts'
import { freePort } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'

needing('nginx', 'curl').describe('Behind nginx, below a path, as docs/operations.md says', () => {
  const port = freePort()
  const address = `http://127.0.0.1:${port}/ship`
  let service: Service
  let nginx: Awaited<ReturnType<typeof startNginx>>

  beforeAll(async () => {
    service = await startService({ BASE_URL: address, TRUSTED_PROXIES: '127.0.0.1' })
    await emptyDatabase(service.db)
    const locations = codeUnder('Below a path', 'nginx').replace(/^ *access_log.*\n/m, '')
    nginx = await startNginx(port, locations.replaceAll('http://127.0.0.1:3000/', `${service.url}/`))
  })

  afterAll(async () => {
    await nginx.stop()
    await service.close()
  })

  browserTest(
    'somebody signs up, announces, and sees it live on the feed, a profile and a badge',
    async (visitor) => {
      const feed = await openLive(visitor, `${address}`)
      const page = await visitor.open(`${address}/`)
      await page.click('text=Create account')
      await page.fill('[name=username]', 'ada')
      await page.fill('[name=name]', 'Ada Lovelace')
      await page.fill('[name=password]', password)
      await page.click('main button')
      await page.waitForURL(`${address}/settings`)
      await page.click('text=Generate token')
      await page.waitForSelector('#new-token')
      const token = await page.inputValue('#new-token')

      const snippet = (await page.textContent('#announce code >> visible=true')) ?? ''
      const { said } = await outcomeOf(['sh', '-c', snippet], {
        env: { PATH: process.env.PATH ?? '', SHIPFEED_TOKEN: token, MESSAGE: 'Below a path', URL: '' },
      })
      expect(said).toContain('"status":"success"')
      await untilReads(async () => (await outline(feed)).length, 2)

      await page.click('a[aria-label="Your profile"]')
      await page.waitForURL(`${address}/ada`)
      const badges =
        'document.images.length > 0 && [...document.images].every((image) => image.naturalWidth > 0)'
      await untilReads(() => page.evaluate<boolean>(badges), true)
      await page.click('.entry .subject a')
      await page.waitForURL(new RegExp(`^${address}/ada/\\d+$`))
      await page.click('text=Sign out')
      await page.waitForURL(`${address}/`)
      await page.goto(`${address}/settings`)
      expect(page.url()).toBe(`${address}/sign-in?next=%2Fsettings`)
      await page.fill('[name=username]', 'ada')
      await page.fill('[name=password]', password)
      await page.click('main button')
      await page.waitForURL(`${address}/settings`)
    },
  )
})
