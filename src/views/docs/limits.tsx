import { Html } from '@elysiajs/html'
import { maxBodyBytes, maxMessageBytes } from '../../domain/announcement.ts'
import { environmentRule, maxVersionCharacters } from '../../domain/release.ts'
import { maxUrlCharacters } from '../../domain/target.ts'
import { inDigits } from '../parts/counted.ts'

export function DocsLimits({ perMinute }: { perMinute: number }): JSX.Element {
  return (
    <section class="stack" id="limits">
      <h2>Limits</h2>
      <dl class="facts">
        <dt>message</dt>
        <dd safe>{`${inDigits(maxMessageBytes)} bytes of UTF-8; a longer one is refused, never cut`}</dd>
        <dt>url</dt>
        <dd safe>{`${inDigits(maxUrlCharacters)} characters`}</dd>
        <dt>environment</dt>
        <dd>{environmentRule}</dd>
        <dt>version</dt>
        <dd>{`${maxVersionCharacters} characters`}</dd>
        <dt>commit</dt>
        <dd>7 to 64 hexadecimal digits</dd>
        <dt>whole body</dt>
        <dd safe>{`${inDigits(maxBodyBytes)} bytes`}</dd>
        <dt>Idempotency-Key</dt>
        <dd>1 to 255 visible ASCII characters, quoted or bare</dd>
        <dt>announcements</dt>
        <dd safe>{perMinute === 0 ? 'no limit' : `${inDigits(perMinute)} a user in any minute`}</dd>
        <dt>badges</dt>
        <dd>no limit</dd>
      </dl>
    </section>
  )
}
