import type { Page } from 'playwright-core'
import { password, signUp } from '../people.ts'
import type { Service } from '../service.ts'
import type { Visitor } from './visitor.ts'

/** Signs somebody up, and in with a browser, whose page is then the settings. */
export async function openSettings(service: Service, visitor: Visitor): Promise<Page> {
  await signUp(service, { username: 'ada', name: 'Ada Lovelace' })
  const page = await visitor.open(`${service.url}/sign-in`)
  await page.fill('[name=username]', 'ada')
  await page.fill('[name=password]', password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings')
  return page
}

/** Marks the document: a page that was loaded again has no mark. */
export async function mark(page: Page): Promise<void> {
  await page.evaluate('document.documentElement.dataset.mark = "here"')
}

export async function isMarked(page: Page): Promise<boolean> {
  return await page.evaluate('document.documentElement.dataset.mark === "here"')
}

/** The element that has the focus: its id, or else its text. */
export async function focused(page: Page): Promise<string> {
  return await page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()')
}
