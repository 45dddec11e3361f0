import type { PanelProps } from './account.tsx'

/** A page of the settings, at /settings/<id>, that /settings links to. */
export type LinkedPage = { readonly id: string; readonly name: string; readonly hint: string }

/** A panel of /settings, as it is shown to a visitor. */
export type ShownPanel = {
  readonly id: string
  readonly name: string
  readonly show: (panel: PanelProps) => JSX.Element
}
