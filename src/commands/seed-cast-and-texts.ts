import { day, hour } from '../domain/ages-and-days.ts'

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

/** An announcement of the demo. */
export type Announced = {
  readonly username: string
  /** The target of its link: a host, or a host with a path. */
  readonly project: string
  /** Its age in milliseconds. */
  readonly age: number
  readonly message: string
  readonly environment?: string
  readonly version?: string
}

type Release = { readonly environment?: string; readonly version?: string }
export type Told = readonly [age: number, project: string, message: string, release?: Release]

const production = { environment: 'production' }
const staging = { environment: 'staging' }
const engine = 'github.com/ada/engine'
const notes = 'github.com/ada/notes'
const compiler = 'github.com/navy/compiler'
const api = 'gitlab.com/payments/api'
const checkout = 'checkout.example.com'
const orbit = 'github.com/orbit/planner'
const kernel = 'git.example.org/kernel'
const changelog = 'app.example.com/changelog'
const tides = 'codeberg.org/sofya/tides'

/** What each of them announced, the newest first. */
export const told: Readonly<Record<string, readonly Told[]>> = {
  ada: [
    [
      0.2 * hour,
      engine,
      'feat(search): saved searches on every device\n\nPin a search and find it again on your phone. Pins sync when you are back\nonline, and a pin that somebody shared with you says who it came from.\n\nCloses #398',
      { ...production, version: 'v2.4.0' },
    ],
    [1.6 * hour, engine, 'feat(search): saved searches on every device', { ...staging, version: 'v2.4.0' }],
    [2.7 * hour, notes, 'fix: keep the cursor where it was when a note is saved in another tab'],
    [6 * hour, engine, 'Bump sharp from 0.33.4 to 0.33.5'],
    [
      9 * hour,
      engine,
      'perf(index): map the index instead of reading it\n\nCold start went from 2.1 s to 1.2 s on the smallest machine we run.\n\n- the file is mapped once, at start\n- pages that nobody asks for are never read\n- `--no-mmap` brings the old way back',
      { ...production, version: 'v2.3.2' },
    ],
    [1.1 * day, engine, 'chore(deps): update the linters', staging],
    [1.2 * day, notes, '💄 Wider margins on large screens, and a caret that can be seen'],
    [1.9 * day, engine, "fix(export): write dates in the reader's time zone (#405)", production],
    [2.1 * day, engine, 'ci: cache the toolchain between jobs'],
    [
      2.9 * day,
      engine,
      'Revert "feat(feed): collapse long threads"\n\nIt hid unread replies. Back next week with a test.',
      production,
    ],
    [3.1 * day, engine, 'feat(feed): collapse long threads', { ...production, version: 'v2.3.1' }],
    [4.2 * day, notes, 'docs: how to move your notes to another server'],
    [4.3 * day, engine, 'fix: a login link works once, and says so the second time'],
    [5.1 * day, engine, 'chore(deps): bump the minor-updates group with 6 updates'],
    [6.2 * day, engine, '♿ Every control has a name for screen readers (#391)', production],
    [7.3 * day, notes, 'refactor: one parser for pasted and typed text'],
  ],
  payments: [
    [
      0.5 * hour,
      api,
      'Release 2026.11.4 to eu-west\n\nRefunds above the daily limit wait for a second approval.',
      { ...production, version: '2026.11.4' },
    ],
    [1.3 * hour, api, 'Release 2026.11.4 to eu-west', { ...staging, version: '2026.11.4' }],
    [3.4 * hour, checkout, 'fix(checkout): keep the basket when a card is declined', production],
    [4.8 * hour, checkout, 'fix(checkout): keep the basket when a card is declined', staging],
    [11 * hour, api, 'chore(deps): update dependency zod to v3.24'],
    [1.4 * day, api, 'Release 2026.11.3', { ...production, version: '2026.11.3' }],
    [1.5 * day, api, 'feat: webhooks carry the idempotency key of the call that caused them', staging],
    [2.4 * day, checkout, '⚡ Load the card form only once it is needed', production],
    [
      3.3 * day,
      api,
      'Roll back 2026.11.2\n\nThe queue of receipts grew without bound. Nothing was charged twice.',
      production,
    ],
    [3.4 * day, api, 'Release 2026.11.2', { ...production, version: '2026.11.2' }],
    [5.4 * day, checkout, 'Translations: Finnish, Greek, Portuguese'],
    [8.4 * day, checkout, 'style: calmer errors on the payment page', production],
  ],
  grace: [
    [8 * hour, compiler, 'fix(parser): point at the missing bracket, not at the end of the file'],
    [10 * hour, compiler, 'feat(cli): --explain prints why a rule applies', { version: 'v0.19.0' }],
    [
      1.3 * day,
      compiler,
      'perf: constant folding across modules\n\nOur largest program compiles in 41 s instead of 58 s.',
    ],
    [2.2 * day, compiler, 'Bump the test-tools group with 3 updates'],
    [3.2 * day, compiler, 'fix: line numbers after a file with Windows line ends'],
    [6.1 * day, compiler, 'feat(cli): read options from a file', { version: 'v0.18.0' }],
    [9.1 * day, compiler, 'docs: a page for each error, with an example that causes it'],
    [20 * day, compiler, 'fix: do not warn about an unused name that begins with _'],
  ],
  katherine: [
    [
      1 * hour,
      orbit,
      'feat(planner): compare two transfer windows side by side',
      { ...production, version: 'v1.12.0' },
    ],
    [5.5 * hour, orbit, 'fix: round burn times to the second that the computer can hold', production],
    [
      13 * hour,
      orbit,
      'Merge pull request #77 from orbit/leap-seconds\n\nUse the table of leap seconds that is in the repository',
    ],
    [1.6 * day, orbit, 'test: the 1962 flight, minute by minute'],
    [2.6 * day, orbit, '🐛 The map no longer jumps at the date line', production],
    [4.5 * day, orbit, 'feat: export a plan as CSV', { ...production, version: 'v1.11.0' }],
    [7.6 * day, orbit, 'build: the image is 90 MB smaller'],
  ],
  sofya: [
    [
      3.8 * hour,
      tides,
      'Приливы на неделю вперёд\n\nТаблица считается на сервере, поэтому страница открывается сразу.',
      { version: '0.9' },
    ],
    [14 * hour, tides, 'fix: графики в тёмной теме'],
    [1.7 * day, tides, 'Translated using Weblate (Norwegian Bokmål)'],
    [2.7 * day, tides, 'feat: выбор порта на карте'],
    [4.6 * day, tides, 'Карта работает без сети'],
    [6.6 * day, tides, 'fix: високосный год'],
    [11 * day, tides, 'Первая версия 🎉', { version: '0.1' }],
  ],
  linus: [
    [2 * day, kernel, 'sched: do not wake a core that is about to sleep', { version: '6.13-rc2' }],
    [6 * day, kernel, 'mm: free the last page of a huge page, too'],
    [12 * day, kernel, 'docs: how to bisect without rebuilding everything'],
    [31 * day, kernel, 'net: count dropped packets once'],
    [50 * day, kernel, 'fs: a directory of a million files lists in a second', { version: '6.12' }],
  ],
  mshaw: [
    [12 * day, changelog, 'New: invite your team, with roles', production],
    [40 * day, changelog, 'Faster exports, and a bar that shows how far they are', production],
    [90 * day, changelog, 'Dark mode', production],
  ],
  dorothy: [
    [45 * day, 'github.com/west/area', 'feat: trapezoidal rule as an alternative to Simpson’s'],
    [200 * day, 'github.com/west/area', 'First release', { version: 'v1.0.0' }],
  ],
}
