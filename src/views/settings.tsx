import { Html } from '@elysiajs/html'
import type { Reasons } from '../domain/announcement.ts'
import type { User } from '../domain/user.ts'
import { firstInvalid } from './form.tsx'
import { Layout } from './layout.tsx'
import { DeletePanel, PasswordPanel, ProfilePanel } from './settings-account.tsx'
import { AnnouncePanel } from './settings-announce.tsx'
import { type Session, SessionsPanel } from './settings-sessions.tsx'
import { type OldToken, type Token, TokenPanel } from './settings-token.tsx'
import type { Site } from './site.ts'

type Props = {
  site: Site
  viewer: User
  now: Date
  token: Token | null
  oldToken: OldToken | null
  newToken: string | null
  sessions: readonly Session[]
  notice: string | null
  values: { readonly name: string }
  reasons: Reasons
}

const fields = ['name', 'current_password', 'new_password', 'username']

/** `newToken` is the token's plain text, given only in the answer to its generation; `values` is what was typed. */
export function SettingsPage(props: Props): JSX.Element {
  const { site, viewer, now, token, oldToken, newToken, sessions, notice, values, reasons } = props
  const focused = firstInvalid(fields, reasons)
  return (
    <Layout site={site} viewer={viewer} title="Settings" current="settings">
      <h1>Settings</h1>
      <div class="notice" role="status">
        {notice !== null && <p safe>{notice}</p>}
      </div>
      <TokenPanel now={now} token={token} oldToken={oldToken} newToken={newToken} />
      <AnnouncePanel site={site} />
      <ProfilePanel viewer={viewer} name={values.name} reasons={reasons} focused={focused} />
      <PasswordPanel viewer={viewer} reasons={reasons} focused={focused} />
      <SessionsPanel now={now} sessions={sessions} />
      <DeletePanel viewer={viewer} reasons={reasons} focused={focused} />
    </Layout>
  )
}
