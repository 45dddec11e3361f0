import type { User } from '../../domain/account/user.ts'
import type { SecretCookie } from '../../http/cookies.ts'
import type { PanelProps } from '../../views/settings/account.tsx'
import type { LinkedPage, SettingsPart } from '../../views/settings/section.ts'

/** What a capability brings to /settings. */
export type SettingsSection = LinkedPage | SettingsPanel

/** A panel of /settings, whose forms are handled by `form` of settingsForms. */
export type SettingsPanel = SettingsPart & {
  /** Reads what it shows to a user, and gives its markup. */
  readonly read: (user: User) => Promise<(props: BroughtPanelProps) => JSX.Element>
  /** The message after a form that succeeded, by the `done` of its redirect. */
  readonly notices?: Readonly<Record<string, string>>
  /** Carries the secret that it shows once. */
  readonly secret?: SecretCookie
}

/** `done` is that of the redirect, and `secret` the one to show now; null for none. */
type BroughtPanelProps = PanelProps & { readonly done: string | null; readonly secret: string | null }
