import type { Page } from 'playwright-core'
import { type Person, password, signIn, signUp } from '../people.ts'
import type { Service } from '../service.ts'
import {
  openExplained,
  openOlder,
  openRolled,
  openThrottled,
  ownerOfWebhook,
  waitFor,
} from './made-states.ts'

/** A page in one of its states: its address, whose browser shows it, and what that person does there. */
export type State = {
  readonly name: string
  readonly path: string
  readonly who?: (service: Service) => Promise<Person>
  /** How it is asked for, where not by following a link. */
  readonly asked?: { readonly method: string; readonly headers?: Record<string, string> }
  readonly act?: (page: Page, service: Service) => Promise<void>
}

const ada = (service: Service) => signIn(service, { username: 'ada', name: 'Ada Lovelace' })
const somebody = (service: Service) => signUp(service)

/** Before anybody came. */
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

export const emptyStates: readonly State[] = [
  { name: 'feed-empty', path: '/' },
  { name: 'wall-empty', path: '/wall' },
  { name: 'feed-empty-filtered', path: '/?category=styling_change' },
]

/** With the seed's people and a long deployment. */
export const states: readonly State[] = [
  { name: 'feed', path: '/' },
  { name: 'feed-signed-in', path: '/', who: ada },
  { name: 'feed-filtered', path: '/?category=performance_improvement' },
  { name: 'feed-older', path: '/', act: openOlder },
  { name: 'feed-waiting', path: '/', act: waitFor },
  { name: 'search', path: '/?q=@ada+github.com+searches' },
  { name: 'search-nothing', path: '/?q=@ada+zebra&category=bug_fix' },
  { name: 'profile', path: '/ada' },
  { name: 'profile-own', path: '/ada', who: ada },
  { name: 'profile-filtered', path: '/ada?category=bug_fix' },
  { name: 'profile-day', path: `/ada?on=${yesterday}` },
  { name: 'profile-day-empty', path: '/ada?on=2001-02-03' },
  { name: 'project', path: '/ada/github.com/ada/engine' },
  { name: 'project-filtered', path: '/ada/github.com/ada/notes?category=bug_fix' },
  { name: 'project-day', path: `/ada/github.com/ada/engine?on=${yesterday}` },
  { name: 'project-older', path: '/ada/github.com/ada/engine?before=999999' },
  { name: 'project-in-environment', path: '/ada/github.com/ada/engine?env=staging' },
  { name: 'host', path: '/ada/github.com' },
  { name: 'releases', path: '/payments/gitlab.com/payments/api/releases' },
  {
    name: 'release',
    path: '/ada/github.com/ada/engine/releases',
    act: (page) => page.click('.release-name >> nth=0'),
  },
  { name: 'changelog', path: '/ada/github.com/ada/engine/changelog' },
  { name: 'changelog-in-a-frame', path: '/ada/github.com/ada/engine/changelog?embed=1' },
  { name: 'environments', path: '/ada/-/environments' },
  {
    name: 'environments-of-all',
    path: '/environments',
    act: (page) => page.click('summary:has-text("Choose projects")'),
  },
  {
    name: 'environments-chosen',
    path: '/environments?project=ada/github.com/ada/engine&project=ada/nowhere.example&env=production',
    who: ada,
  },
  { name: 'environments-none', path: '/newcomer/-/environments' },
  { name: 'profile-older', path: '/ada', act: openOlder },
  { name: 'profile-empty', path: '/newcomer' },
  {
    name: 'profile-empty-own',
    path: '/settings',
    who: somebody,
    act: (page) => page.click('a[aria-label="Your profile"]'),
  },
  { name: 'profile-explained', path: '/ada', act: openExplained },
  { name: 'profile-long', path: '/a-very-long-username-for-a-narrow-phone' },
  { name: 'permanent', path: '/ada', act: openPermanent },
  {
    name: 'permanent-own',
    path: '/ada',
    who: ada,
    async act(page) {
      await openPermanent(page)
      await page.click('summary:has-text("Withdraw")')
    },
  },
  { name: 'wall', path: '/wall' },
  { name: 'wall-of-one', path: '/wall?user=ada&target=github.com/ada/engine&category=bug_fix' },
  { name: 'wall-of-environments', path: '/wall?view=environments&user=ada' },
  { name: 'wall-of-all-environments', path: '/wall?view=environments' },
  { name: 'badge', path: '/ada/badge' },
  { name: 'badge-chosen', path: '/ada/badge?style=dot&target=github.com/ada/engine' },
  { name: 'badge-of-the-empty', path: '/newcomer/badge' },
  { name: 'docs', path: '/docs' },
  { name: 'docs-signed-in', path: '/docs', who: ada },
  { name: 'sign-up', path: '/sign-up' },
  {
    name: 'sign-up-refused',
    path: '/sign-up',
    act: sends({ username: 'ada', name: 'Ada', password: 'short' }, 'main button', '#password-reasons'),
  },
  { name: 'sign-in', path: '/sign-in' },
  {
    name: 'sign-in-wrong',
    path: '/sign-in',
    act: sends({ username: 'nobody-here', password }, 'main button', '.problem-note'),
  },
  { name: 'sign-in-throttled', path: '/sign-in', act: openThrottled },
  { name: 'settings', path: '/settings', who: somebody },
  {
    name: 'settings-new-token',
    path: '/settings',
    who: somebody,
    async act(page) {
      await page.click('text=Generate token')
      await page.waitForSelector('#new-token')
      await page.click('summary:has-text("Roll token")')
    },
  },
  { name: 'webhooks-empty', path: '/settings/webhooks', who: somebody },
  {
    name: 'webhooks-refused',
    path: '/settings/webhooks',
    who: somebody,
    act: sends({ url: 'ftp://nowhere', environments: 'a b ü' }, 'text=Add webhook', '[aria-invalid=true]'),
  },
  { name: 'webhooks', path: '/settings/webhooks', who: ownerOfWebhook },
  {
    name: 'webhook',
    path: '/settings/webhooks',
    who: ownerOfWebhook,
    async act(page) {
      await page.click('#webhook-list a')
      await page.click('text=Pause')
      await page.waitForSelector('text=Resume, and skip what it missed')
      await page.click('#delivered summary')
    },
  },
  { name: 'projects', path: '/settings/projects', who: ada },
  { name: 'settings-rolled', path: '/settings', who: openRolled },
  { name: 'tokens', path: '/settings/tokens', who: openRolled },
  {
    name: 'tokens-new',
    path: '/settings/tokens',
    who: somebody,
    async act(page) {
      await page.fill('[name=name]', 'engine')
      await page.click('text=Add token')
      await page.waitForSelector('#new-token')
      await page.click('summary:has-text("End token")')
    },
  },
  {
    name: 'settings-saved',
    path: '/settings',
    who: somebody,
    act: sends({}, '#profile button', '#profile .notice p'),
  },
  {
    name: 'settings-refused',
    path: '/settings',
    who: somebody,
    async act(page) {
      for (const [panel, fields] of refused) {
        for (const field of fields) await page.fill(`#${panel} [name=${field}]`, '\u202e')
        await page.click(`#${panel} form button`)
        await page.waitForSelector(`#${panel} [aria-invalid=true]`)
      }
    },
  },
  { name: 'problem-400', path: '/?before=x' },
  {
    name: 'problem-403',
    path: '/sign-in',
    asked: { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' } },
  },
  { name: 'problem-404', path: '/nobody-here' },
  { name: 'problem-404-signed-in', path: '/nobody-here', who: ada },
  { name: 'problem-405', path: '/docs', asked: { method: 'POST' } },
]

/** While the database cannot answer. */
export const unavailableStates: readonly State[] = [{ name: 'problem-503', path: '/' }]

const refused = [
  ['profile', ['name']],
  ['password', ['current_password', 'new_password']],
  ['delete', ['username', 'password']],
] as const

/** Fills fields by their names, clicks, and waits for what is then shown. */
function sends(fields: Readonly<Record<string, string>>, button: string, shown: string) {
  return async (page: Page) => {
    for (const [name, text] of Object.entries(fields)) await page.fill(`[name=${name}]`, text)
    await page.click(button)
    await page.waitForSelector(shown)
  }
}

async function openPermanent(page: Page): Promise<void> {
  await page.click('.entry .subject a')
  await page.waitForURL(/\/\d+$/)
}
