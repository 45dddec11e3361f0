import { expect, test } from 'bun:test'
import { deviceOf } from '../../../src/domain/account/device.ts'

const mozilla = 'Mozilla/5.0'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  ['Firefox on Linux', `${mozilla} (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0`],
  ['Firefox on Android', `${mozilla} (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0`],
  [
    'Firefox on iOS',
    `${mozilla} (iPhone; CPU iPhone OS 17_6 like Mac OS X) ${webkit} FxiOS/130.0 Safari/605.1.15`,
  ],
  ['Chrome on Windows', `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/128.0.0.0 Safari/537.36`],
  ['Chrome on Android', `${mozilla} (Linux; Android 10; K) ${webkit} Chrome/128.0.0.0 Mobile Safari/537.36`],
  [
    'Chrome on iOS',
    `${mozilla} (iPad; CPU OS 17_6 like Mac OS X) ${webkit} CriOS/128.0 Mobile/15E148 Safari/604.1`,
  ],
  ['Edge on Windows', `${mozilla} (Windows NT 10.0) ${webkit} Chrome/128.0.0.0 Safari/537.36 Edg/128.0.0.0`],
  [
    'Opera on macOS',
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/128.0 Safari/537.36 OPR/114.0`,
  ],
  ['Safari on macOS', `${mozilla} (Macintosh; Intel Mac OS X 14_6) ${webkit} Version/17.6 Safari/605.1.15`],
  [
    'Safari on iOS',
    `${mozilla} (iPhone; CPU iPhone OS 17_6 like Mac OS X) ${webkit} Version/17.6 Safari/604.1`,
  ],
  ['curl', 'curl/8.5.0'],
  ['Unknown browser on Linux', 'Something (Linux)'],
  ['Unknown browser', ''],
  ['Unknown browser', '<script>alert(1)</script>'],
  ['Unknown browser', 'NotFirefoxEither'],
])('%s', (device, userAgent) => {
  expect(deviceOf(userAgent)).toBe(device)
})
