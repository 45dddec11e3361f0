import type { PanelProps } from './account.tsx'

/** A part of the settings, with its name in the list of them. */
export type SettingsPart = { readonly id: string; readonly name: string }

/** A page of the settings, at /settings/<id>, that /settings links to. */
export type LinkedPage = SettingsPart & { readonly hint: string }

/** A panel of /settings, as it is shown to a visitor. */
export type ShownPanel = SettingsPart & { readonly show: (panel: PanelProps) => JSX.Element }
