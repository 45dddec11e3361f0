import { afterAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outcomeOf } from '../support/deploy/programs.ts'
import { needing } from '../support/needs/needs.ts'
import { temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)
const rules = join(import.meta.dir, '../../deploy/alerts.yaml')

/** An hour of series, with a value each minute, in the notation of promtool: `0+2x60` grows by 2 sixty times. */
type Hour = Readonly<Record<string, string>>

const requests = (status: number, route = '/') =>
  `http_request_duration_seconds_count{route="${route}",status="${status}"}`
const announcements = (outcome: string) => `shipfeed_announcements_total{outcome="${outcome}"}`
const errors = (event: string) => `shipfeed_errors_total{event="${event}"}`

/** A histogram of 100 a minute, of which so many are at most at the first bound, and all at the second. */
const histogram = (name: string, bounds: readonly [number, number], below: number): Hour => ({
  [name.replace('}', `,le="${bounds[0]}"}`)]: `0+${below}x60`,
  [name.replace('}', `,le="${bounds[1]}"}`)]: '0+100x60',
  [name.replace('}', ',le="+Inf"}')]: '0+100x60',
})
const answers = 'http_request_duration_seconds_bucket{route="/"}'
const statements = 'shipfeed_statement_seconds_bucket{statement="badges"}'
const lag = 'shipfeed_event_loop_lag_seconds_bucket{job="shipfeed"}'

/** For each alert, hours in which it fires, and hours like them in which nothing does. */
const hours: Readonly<Record<string, { readonly fires: readonly Hour[]; readonly silent: readonly Hour[] }>> =
  {
    ShipfeedDown: {
      fires: [{ 'up{job="shipfeed"}': '1x30 0x30' }],
      silent: [{ 'up{job="shipfeed"}': '1x30 0 1x30' }, { 'up{job="another"}': '0x60' }],
    },
    ShipfeedDatabaseDown: {
      fires: [{ shipfeed_database_up: '1x30 0x30' }],
      silent: [{ shipfeed_database_up: '1x30 0 1x30' }],
    },
    ShipfeedStorage: {
      fires: [{ [errors('disk_full')]: '0x30 1x30' }, { [errors('database_damaged')]: '0x30 1x30' }],
      silent: [{ [errors('disk_full')]: '1x60' }],
    },
    ShipfeedErrors: {
      fires: [{ [errors('fault')]: '0x30 1x30' }, { [errors('backup_failed')]: '7x30 8x30' }],
      silent: [{ [errors('fault')]: '0x60', [errors('backup_failed')]: '7x60' }],
    },
    ShipfeedAnnouncementsFail: {
      fires: [
        // Badges and pages work, as with a standby that is down.
        {
          [requests(200)]: '0+6000x60',
          [requests(503, '/api')]: '0+40x60',
          [announcements('created')]: '0x60',
          [announcements('unavailable')]: '0+40x60',
        },
        { [announcements('created')]: '0+88x60', [announcements('internal_error')]: '0+12x60' },
        // One pipeline a night, which tries for some minutes.
        { [announcements('created')]: '0x60', [announcements('unavailable')]: '0x30 0+2x3 6x26' },
      ],
      silent: [
        { [announcements('created')]: '0+90x60', [announcements('unavailable')]: '0+10x60' },
        { [announcements('created')]: '0x31 1x29', [announcements('unavailable')]: '0x30 4x30' },
        { [announcements('created')]: '0+1x60', [announcements('validation_error')]: '0+1x60' },
      ],
    },
    ShipfeedUnavailable: {
      fires: [
        {
          [requests(503)]: '0+1x60',
          [requests(200)]: '0+60x60',
          [requests(200, '/badge/:file')]: '0+6000x60',
        },
      ],
      silent: [
        { [requests(503)]: '0+1x60', [requests(200)]: '0+99x60' },
        { [requests(503, '/readyz')]: '0+9x60', [requests(200)]: '0+99x60' },
      ],
    },
    ShipfeedBadgesUnavailable: {
      fires: [{ 'shipfeed_badges_total{status="unavailable"}': '0+1x60', ...badges(60) }],
      silent: [{ 'shipfeed_badges_total{status="unavailable"}': '0+1x60', ...badges(99) }],
    },
    ShipfeedSlow: {
      fires: [histogram(answers, [1, 2.5], 97)],
      silent: [histogram(answers, [1, 2.5], 100), histogram(answers.replace('/', '/docs'), [1, 2.5], 0)],
    },
    ShipfeedDatabaseSlow: {
      fires: [histogram(statements, [0.5, 1], 97)],
      silent: [histogram(statements, [0.5, 1], 100)],
    },
    ShipfeedLate: {
      fires: [{ shipfeed_bell_connected: '1x30 0x30' }],
      silent: [{ shipfeed_bell_connected: '1x30 0x3 1x27' }],
    },
    ShipfeedStandbys: {
      fires: [{ shipfeed_standbys: '2x60', shipfeed_standbys_read: '2x30 1x30' }],
      silent: [
        { shipfeed_standbys: '3 2x60', shipfeed_standbys_read: '2x60' },
        { shipfeed_standbys: '2x60', shipfeed_standbys_read: '2x30 1 2x30' },
      ],
    },
    ShipfeedBusy: {
      fires: [histogram(lag, [0.25, 0.5], 97)],
      silent: [histogram(lag, [0.25, 0.5], 100)],
    },
    ShipfeedFull: {
      fires: [{ shipfeed_watchers: '9001x60', shipfeed_watchers_limit: '10000x60' }],
      silent: [{ shipfeed_watchers: '9000x60', shipfeed_watchers_limit: '10000x60' }],
    },
    ShipfeedOpenFiles: {
      fires: [{ 'process_open_fds{job="shipfeed"}': '901x60', 'process_max_fds{job="shipfeed"}': '1000x60' }],
      silent: [
        { 'process_open_fds{job="shipfeed"}': '900x60', 'process_max_fds{job="shipfeed"}': '1000x60' },
      ],
    },
    ShipfeedRestarts: {
      fires: [{ 'process_start_time_seconds{job="shipfeed"}': '0x10 1x10 2x10 3x10 4x10' }],
      silent: [{ 'process_start_time_seconds{job="shipfeed"}': '0x10 1x10 2x10 3x30' }],
    },
    ShipfeedRefusals: {
      fires: [{ [announcements('created')]: '0+10x60', [announcements('unauthorized')]: '0+11x60' }],
      silent: [{ [announcements('created')]: '0+10x60', [announcements('unauthorized')]: '0+10x60' }],
    },
    ShipfeedBackups: {
      fires: [
        { shipfeed_backup_every_seconds: '600x60', shipfeed_backup_age_seconds: '0+60x60' },
        { shipfeed_backup_every_seconds: '600x60', shipfeed_backup_age_seconds: 'Inf '.repeat(60) },
      ],
      silent: [
        { shipfeed_backup_every_seconds: '600x60', shipfeed_backup_age_seconds: '1200x60' },
        { shipfeed_backup_every_seconds: '600x60', shipfeed_backup_age_seconds: `${'Inf '.repeat(10)}0x50` },
      ],
    },
    ShipfeedReports: {
      fires: [{ shipfeed_deployments_reported: '0x30 1x30' }],
      silent: [{ shipfeed_deployments_reported: '0x60' }],
    },
    ShipfeedWebhooksLate: {
      fires: [{ shipfeed_webhooks_oldest_seconds: '301x60' }],
      silent: [{ shipfeed_webhooks_oldest_seconds: '300x60' }],
    },
    ShipfeedWebhooksFail: {
      fires: [messages({ failed: 2, sent: 1 })],
      silent: [messages({ failed: 2, sent: 2 }), messages({ failed: 0.5, sent: 0 })],
    },
  }

function badges(fresh: number): Hour {
  return { 'shipfeed_badges_total{status="fresh"}': `0+${fresh}x60` }
}

function messages(perMinute: Readonly<Record<string, number>>): Hour {
  const series = Object.entries(perMinute).map(([outcome, count]) => [
    `shipfeed_webhook_messages_total{outcome="${outcome}"}`,
    `0+${count}x60`,
  ])
  return Object.fromEntries(series)
}

test('every alert has hours in which it fires, and hours in which it does not', () => {
  const alerts = [...readFileSync(rules, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  expect(Object.keys(hours).sort()).toEqual(alerts.sort())
})

needing('promtool').test('in each of these hours, Prometheus fires that alert and no other', async () => {
  const cases = Object.entries(hours).flatMap(([alert, { fires, silent }]) => [
    ...fires.map((hour) => caseOf(hour, [{ labels: `{alertname="${alert}"}`, value: 1 }])),
    ...silent.map((hour) => caseOf(hour, [])),
  ])
  const path = join(directory.path, 'hours.yaml')
  // JSON is YAML.
  writeFileSync(path, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests: cases }))
  expect(await outcomeOf(['promtool', 'test', 'rules', path])).toEqual({
    code: 0,
    said: expect.stringContaining('SUCCESS'),
  })
})

function caseOf(hour: Hour, fired: readonly object[]) {
  const values = Object.entries(hour)
  return {
    name: JSON.stringify(hour),
    interval: '1m',
    input_series: values.map(([series, values]) => ({ series, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[1h]))',
        eval_time: '1h',
        exp_samples: fired,
      },
    ],
  }
}
