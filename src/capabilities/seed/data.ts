import { day, hour } from '../../domain/time.ts'

/** One user per freshness, one who has announced nothing, and some more for a lively feed. */
export const cast: readonly { readonly username: string; readonly name: string }[] = [
  { username: 'ada', name: 'Ada Lovelace' },
  { username: 'grace', name: 'Grace Hopper' },
  { username: 'linus', name: 'Linus' },
  { username: 'mshaw', name: 'Mary Shaw' },
  { username: 'dorothy', name: 'Dorothy Vaughan' },
  { username: 'katherine', name: 'Katherine Johnson' },
  { username: 'sofya', name: 'Софья Ковалевская' },
  { username: 'payments', name: 'Payments Platform' },
  { username: 'newcomer', name: 'New Comer' },
]

/** What they announced: username, age in hours or days, project, environment, version, actor, message. */
const lines = [
  'ada | 0.2h | github.com/ada/engine | production | v2.4.0 | | feat(search): saved searches on every device\n\nPin a search and find it again on your phone. Pins sync when you are back\nonline, and a pin that somebody shared with you says who it came from.\n\nCloses #398',
  'ada | 1.6h | github.com/ada/engine | staging | v2.4.0 | | feat(search): saved searches on every device',
  'ada | 2.7h | github.com/ada/notes | | | | fix: keep the cursor where it was when a note is saved in another tab',
  'ada | 6h | github.com/ada/engine | | | | Bump sharp from 0.33.4 to 0.33.5',
  'ada | 9h | github.com/ada/engine | production | v2.3.2 | | perf(index): map the index instead of reading it\n\nCold start went from 2.1 s to 1.2 s on the smallest machine we run.\n\n- the file is mapped once, at start\n- pages that nobody asks for are never read\n- `--no-mmap` brings the old way back',
  'ada | 1.1d | github.com/ada/engine | staging | | | chore(deps): update the linters',
  'ada | 1.2d | github.com/ada/notes | | | | 💄 Wider margins on large screens, and a caret that can be seen',
  "ada | 1.9d | github.com/ada/engine | production | | | fix(export): write dates in the reader's time zone (#405)",
  'ada | 2.1d | github.com/ada/engine | | | | ci: cache the toolchain between jobs',
  'ada | 2.9d | github.com/ada/engine | production | | | Revert "feat(feed): collapse long threads"\n\nIt hid unread replies. Back next week with a test.',
  'ada | 3.1d | github.com/ada/engine | production | v2.3.1 | | feat(feed): collapse long threads',
  'ada | 4.2d | github.com/ada/notes | | | | docs: how to move your notes to another server',
  'ada | 4.3d | github.com/ada/engine | | | | fix: a login link works once, and says so the second time',
  'ada | 5.1d | github.com/ada/engine | | | | chore(deps): bump the minor-updates group with 6 updates',
  'ada | 6.2d | github.com/ada/engine | production | | | ♿ Every control has a name for screen readers (#391)',
  'ada | 7.3d | github.com/ada/notes | | | | refactor: one parser for pasted and typed text',
  'payments | 0.5h | gitlab.com/payments/api | production | 2026.11.4 | mara | Release 2026.11.4 to eu-west\n\nRefunds above the daily limit wait for a second approval.',
  'payments | 1.3h | gitlab.com/payments/api | staging | 2026.11.4 | mara | Release 2026.11.4 to eu-west',
  'payments | 2.1h | shop/checkout | staging | v3.8.0 | tomasz | feat(checkout): pay later, in three parts',
  'payments | 3.4h | shop/checkout | production | v3.7.1 | Ines Duarte | fix(checkout): keep the basket when a card is declined',
  'payments | 4.8h | shop/checkout | staging | v3.7.1 | tomasz | fix(checkout): keep the basket when a card is declined',
  'payments | 7h | shop/cart | production | v1.19.0 | Ines Duarte | feat(cart): a basket follows its owner to another device',
  'payments | 9h | shop/cart | staging | v1.19.0 | Ines Duarte | feat(cart): a basket follows its owner to another device',
  'payments | 11h | gitlab.com/payments/api | | | | chore(deps): update dependency zod to v3.24',
  'payments | 1.4d | gitlab.com/payments/api | production | 2026.11.3 | mara | Release 2026.11.3',
  'payments | 1.45d | gitlab.com/payments/api | staging | 2026.11.3 | mara | Release 2026.11.3',
  'payments | 1.5d | gitlab.com/payments/api | dev | | jonas | feat: webhooks carry the idempotency key of the call that caused them',
  'payments | 2.4d | shop/checkout | production | v3.7.0 | tomasz | ⚡ Load the card form only once it is needed',
  'payments | 2.5d | shop/checkout | staging | v3.7.0 | tomasz | ⚡ Load the card form only once it is needed',
  'payments | 3.3d | gitlab.com/payments/api | production | 2026.11.1 | jonas | Roll back to 2026.11.1\n\nThe queue of receipts grew without bound. Nothing was charged twice.',
  'payments | 3.4d | gitlab.com/payments/api | production | 2026.11.2 | mara | Release 2026.11.2',
  'payments | 3.6d | gitlab.com/payments/api | staging-eu-central-1 | @payments/settlement-and-reconciliation@2026.11.0-rc.2 | Maximiliane von Hohenberg-Wittelsbach | feat(settlement): reconcile every ledger entry with the acquirer’s nightly file, and hold back a payout whose sum differs by a cent\n\nWas a query by hand: https://wiki.example.com/finance/month-end/reconciliation-of-payouts-with-acquirers',
  'payments | 4.4d | gitlab.com/payments/api | production | 2026.11.1 | mara | Release 2026.11.1',
  'payments | 5.4d | shop/checkout | production | v3.6.2 | | Translations: Finnish, Greek, Portuguese',
  'payments | 8.4d | shop/checkout | production | v3.6.1 | Ines Duarte | style: calmer errors on the payment page',
  'grace | 8h | github.com/navy/compiler | | | | fix(parser): point at the missing bracket, not at the end of the file',
  'grace | 10h | github.com/navy/compiler | | v0.19.0 | | feat(cli): --explain prints why a rule applies',
  'grace | 1.3d | github.com/navy/compiler | | | | perf: constant folding across modules\n\nOur largest program compiles in 41 s instead of 58 s.',
  'grace | 2.2d | github.com/navy/compiler | | | | Bump the test-tools group with 3 updates',
  'grace | 3.2d | github.com/navy/compiler | | | | fix: line numbers after a file with Windows line ends',
  'grace | 6.1d | github.com/navy/compiler | | v0.18.0 | | feat(cli): read options from a file',
  'grace | 9.1d | github.com/navy/compiler | | | | docs: a page for each error, with an example that causes it',
  'grace | 20d | github.com/navy/compiler | | | | fix: do not warn about an unused name that begins with _',
  'katherine | 1h | github.com/orbit/planner | production | v1.12.0 | | feat(planner): compare two transfer windows side by side',
  'katherine | 5.5h | github.com/orbit/planner | production | | | fix: round burn times to the second that the computer can hold',
  'katherine | 13h | github.com/orbit/planner | | | | Merge pull request #77 from orbit/leap-seconds\n\nUse the table of leap seconds that is in the repository',
  'katherine | 1.6d | github.com/orbit/planner | | | | test: the 1962 flight, minute by minute',
  'katherine | 2.6d | github.com/orbit/planner | production | | | 🐛 The map no longer jumps at the date line',
  'katherine | 4.5d | github.com/orbit/planner | production | v1.11.0 | | feat: export a plan as CSV',
  'katherine | 7.6d | github.com/orbit/planner | | | | build: the image is 90 MB smaller',
  'sofya | 3.8h | codeberg.org/sofya/tides | | 0.9 | | Приливы на неделю вперёд\n\nТаблица считается на сервере, поэтому страница открывается сразу.',
  'sofya | 14h | codeberg.org/sofya/tides | | | | fix: графики в тёмной теме',
  'sofya | 1.7d | codeberg.org/sofya/tides | | | | Translated using Weblate (Norwegian Bokmål)',
  'sofya | 2.7d | codeberg.org/sofya/tides | | | | feat: выбор порта на карте',
  'sofya | 4.6d | codeberg.org/sofya/tides | | | | Карта работает без сети',
  'sofya | 6.6d | codeberg.org/sofya/tides | | | | fix: високосный год',
  'sofya | 11d | codeberg.org/sofya/tides | | 0.1 | | Первая версия 🎉',
  'linus | 2d | git.example.org/kernel | | 6.13-rc2 | | sched: do not wake a core that is about to sleep',
  'linus | 6d | git.example.org/kernel | | | | mm: free the last page of a huge page, too',
  'linus | 12d | git.example.org/kernel | | | | docs: how to bisect without rebuilding everything',
  'linus | 31d | git.example.org/kernel | | | | net: count dropped packets once',
  'linus | 50d | git.example.org/kernel | | 6.12 | | fs: a directory of a million files lists in a second',
  'mshaw | 12d | app.example.com/changelog | production | | | New: invite your team, with roles',
  'mshaw | 40d | app.example.com/changelog | production | | | Faster exports, and a bar that shows how far they are',
  'mshaw | 90d | app.example.com/changelog | production | | | Dark mode',
  'dorothy | 45d | github.com/west/area | | | | feat: trapezoidal rule as an alternative to Simpson’s',
  'dorothy | 200d | github.com/west/area | | v1.0.0 | | First release',
]

/** Where their environments run. */
const addresses: Readonly<Record<string, string>> = {
  'github.com/ada/engine production': 'https://engine.example.com',
  'github.com/ada/engine staging': 'https://engine.staging.example.com',
  'gitlab.com/payments/api production': 'https://api.payments.example',
  'gitlab.com/payments/api staging': 'https://api.staging.payments.example',
  'shop/cart production': 'https://shop.example/cart',
  'shop/cart staging': 'https://staging.shop.example/cart',
  'shop/checkout production': 'https://shop.example/checkout',
  'shop/checkout staging': 'https://staging.shop.example/checkout',
}

/** The repository of the projects that have a name. */
const monorepo = 'gitlab.com/payments/shop'

export type Announced = ReturnType<typeof demoAnnouncements>[number]

/** The announcements of the demo, with their ages in milliseconds. `repository` is a host, or a host with a path. */
export function demoAnnouncements() {
  return lines.map((line) => {
    const [username = '', age = '', place = '', environment, version, actor, message = ''] =
      line.split(/ ?\| /)
    const isNamed = !place.split('/')[0]?.includes('.')
    return {
      ...{ username, message, repository: isNamed ? monorepo : place },
      project: isNamed ? place : undefined,
      environment: environment || undefined,
      environmentUrl: addresses[`${place} ${environment}`],
      version: version || undefined,
      actor: actor || undefined,
      age: Number(age.slice(0, -1)) * (age.endsWith('h') ? hour : day),
    }
  })
}
