import { Html } from '@elysiajs/html'
import { Form, Panel } from '../parts/panels-and-forms.tsx'
import { Age } from '../parts/time-element.tsx'
import { type PasswordAgain, PasswordField } from './account.tsx'
import { LastUse, ShownOnce } from './token.tsx'

type Props = PasswordAgain & {
  now: Date
  readKey: {
    readonly lastFour: string
    readonly createdAt: Date
    readonly lastUsedAt: Date | null
  } | null
  /** The plain key, given once after it was made. */
  newKey: string | null
  publicBadges: boolean
}

/** The key for programs and screens that cannot sign in. */
export function ReadKeyPanel({ now, readKey, newKey, publicBadges, ...again }: Props): JSX.Element {
  const badges = publicBadges ? '' : 'badges, pictures of the year, '
  const hint = `Only members may read here. With ?key= and this key, the addresses of ${badges}feeds, wallboards, and lists and streams of the API open without signing in. The key can do nothing else.`
  return (
    <Panel id="read-key" title="Read key" hint={hint}>
      {newKey !== null && <ShownOnce id="new-read-key" secret={newKey} what="read key" />}
      {readKey === null ? (
        <MakeKey {...again} />
      ) : (
        <>
          <p class="hint">
            <code safe>{`read_…${readKey.lastFour}`}</code> · created{' '}
            <Age then={readKey.createdAt} now={now} /> · <LastUse lastUsedAt={readKey.lastUsedAt} now={now} />
          </p>
          <details class="roll" open={again.focused !== undefined}>
            <summary class="button">Roll read key</summary>
            <MakeKey {...again} isRoll />
          </details>
        </>
      )}
    </Panel>
  )
}

function MakeKey({ isRoll = false, ...again }: PasswordAgain & { isRoll?: boolean }): JSX.Element {
  return (
    <Form action="/settings/read-key" within="read-key">
      {isRoll && <p class="hint">The current key stops working at once, wherever it is used.</p>}
      <PasswordField id="read-key-password" {...again} />
      <button class={isRoll ? 'danger' : 'primary'} type="submit">
        {isRoll ? 'Roll it now' : 'Make a read key'}
      </button>
    </Form>
  )
}
