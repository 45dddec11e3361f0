import { defaultRatePerMinute } from './domain/announcement/quota.ts'
import { levels } from './log/events.ts'
import type { Variable } from './settings-reader.ts'

/** The environment variables of the core, in the order of docs/reference.md#settings. Capabilities have others. */
export const variables = {
  NODE_ENV: {
    says: '`production`: requires `BASE_URL`, and refuses `seed` and issuers without https. The unit and the image set it',
  },
  PORT: { default: 3000, from: 0, to: 65_535, says: 'where it listens; 0: any free port' },
  HOST: { default: '0.0.0.0', says: 'the address of this machine on which it listens' },
  REUSE_PORT: {
    words: ['off', 'on'],
    says: 'processes of one machine and user that all have it [share a port](scaling.md#many-processes); needs `DATABASE_URL`, and refuses `DRAIN_SECONDS`',
  },
  BASE_URL: {
    default: 'http://localhost:PORT',
    says: 'its public address, which may have [a path](operations.md#below-a-path)',
  },
  DATABASE_URL: {
    says: 'a [Postgres](operations.md#postgres) of version 15 or newer; unset: [one of its own](operations.md#local-database)',
  },
  DATABASE_LISTEN_URL: {
    says: 'the same database past a [pooler](scaling.md#poolers), for calls that need a session of their own',
  },
  BELL: {
    words: ['notify', 'poll'],
    says: '`poll`: looks for events four times a second, for a database without NOTIFY',
  },
  DATABASE_URL_FILE: { says: 'a file that holds it instead, such as a mounted secret' },
  DATABASE_LISTEN_URL_FILE: { says: 'the same' },
  DATA_DIR: { default: './data', says: 'where the [local database](operations.md#local-database) is' },
  TRUSTED_PROXIES: {
    says: 'addresses and CIDR ranges whose `X-Forwarded-For` is believed, read from the right, separated by commas',
  },
  HSTS: {
    words: ['on', 'off', 'subdomains'],
    says: 'with an https `BASE_URL`, browsers are held to https, with `subdomains` on every subdomain too',
  },
  REGISTRATION: { words: ['open', 'closed'], says: "`closed`: new accounts by an operator's link only" },
  OPERATOR_CONTACT: { says: 'how to reach the operator: a mail address, a link or a few words' },
  SOURCE_URL: { says: "the address of this installation's source, linked at the foot of each page" },
  BADGE_CDN: {
    words: ['off', 'on'],
    says: 'a CDN in front of the service may keep [badges](scaling.md#a-cdn-for-badges) for up to an hour; no effect on badges for members only',
  },
  RATE_LIMIT_PER_MINUTE: {
    default: defaultRatePerMinute,
    from: 0,
    to: 10_000,
    says: 'announcements of a user in a rolling minute; 0: no limit',
  },
  SIGN_UPS_PER_HOUR: {
    default: 20,
    from: 0,
    to: 10_000,
    says: 'new accounts from an address in an hour; 0: no limit',
  },
  STREAMS_PER_ADDRESS: {
    default: 30,
    from: 0,
    to: 100_000,
    says: 'open feeds of an address; 0: none, every page polls',
  },
  STREAMS_MAX: { default: 10_000, from: 1, to: 100_000, says: 'open feeds of the process' },
  DRAIN_SECONDS: {
    default: 0,
    from: 0,
    to: 60,
    says: 'how many seconds it goes on serving after a signal to end, with 503 on `/readyz` for a balancer to see',
  },
  LOG_LEVEL: { default: 'info', words: levels, says: 'the lowest level of the log' },
  ACCESS_LOG: {
    default: 0,
    from: 0,
    to: 1,
    says: 'the fraction of requests that have a line in the log, chosen at random',
  },
} as const satisfies Readonly<Record<string, Variable>>

/** Variables that Bun and its connections read by themselves. */
export const variablesOfBun: Readonly<Record<string, string>> = {
  HTTPS_PROXY: 'a proxy for the [requests to issuers](operations.md#what-goes-out); webhooks use none',
  NODE_EXTRA_CA_CERTS:
    'a file of certificate authorities that are trusted too, for `sslmode=verify-full` and for issuers',
  BUN_JSC_gcMaxHeapSize:
    'a number of bytes after which Bun collects its garbage. `npm start`, the image and the unit set 33554432',
}
