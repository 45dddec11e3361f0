import { Html } from '@elysiajs/html'
import { Form } from '../../views/parts/form.tsx'
import { isRefused } from '../../views/parts/form-fields.tsx'
import { Panel } from '../../views/parts/panel.tsx'
import { NewSecret } from '../../views/parts/snippet.tsx'
import { Age } from '../../views/parts/time-element.tsx'
import { type PanelProps, PasswordField } from '../../views/settings/account.tsx'
import { LastUse } from '../../views/settings/token.tsx'

type ReadKeyProps = PanelProps & {
  /** Null if there is none, or everybody may read. */
  readKey: { readonly lastFour: string; readonly createdAt: Date; readonly lastUsedAt: Date | null } | null
  /** The plain key, given once after it was made. */
  newKey: string | null
}

/** The key for programs and screens that cannot sign in. */
export function ReadKeyPanel({ readKey, newKey, ...panel }: ReadKeyProps): JSX.Element {
  const { site, now } = panel
  const badges = site.publicBadges ? '' : 'badges, pictures of the year, '
  const hint = `Only members may read here. With ?key= and this key, the addresses of ${badges}feeds, wallboards, and lists and streams of the API open without signing in. The key can do nothing else.`
  const form = { action: '/settings/read-key', within: 'read-key' }
  const password = <PasswordField id="read-key-password" {...panel} />
  return (
    <Panel id="read-key" title="Read key" hint={hint}>
      {newKey !== null && (
        <NewSecret
          id="new-read-key"
          secret={newKey}
          label="Your new read key."
          what="the read key"
          takesFocus
        />
      )}
      {readKey === null ? (
        <Form {...form} button="Make a read key" look="primary">
          {password}
        </Form>
      ) : (
        <>
          <p class="hint">
            <code safe>{`read_…${readKey.lastFour}`}</code> · created{' '}
            <Age then={readKey.createdAt} now={now} /> · <LastUse lastUsedAt={readKey.lastUsedAt} now={now} />
          </p>
          <details class="roll" open={isRefused(panel.form)}>
            <summary class="button">Roll read key</summary>
            <Form {...form} button="Roll it now" look="danger">
              <p class="hint">The current key stops working at once, wherever it is used.</p>
              {password}
            </Form>
          </details>
        </>
      )}
    </Panel>
  )
}
