export const badgeStyles = ['standard', 'square', 'dot'] as const
export type BadgeStyle = (typeof badgeStyles)[number]

/** What the right word tells: how long ago the latest deployment was, or the state by its name. */
export const badgeShows = ['age', 'state'] as const
export type BadgeShow = (typeof badgeShows)[number]

/** The usual left word. */
export const usualLabel = 'deployed'
export const longestLabel = 20
/** Letters whose width is known, and of which none means anything to XML (text-width.ts). */
const labelForm = /^[A-Za-z0-9 ._/-]*$/

/** What the address of a badge may ask for (docs/decisions.md#badge). */
export type BadgeChoice = { readonly style: BadgeStyle; readonly show: BadgeShow; readonly label: string }

export const usualChoice: BadgeChoice = { style: 'standard', show: 'state', label: usualLabel }

type Query = { readonly [Name in keyof BadgeChoice]?: string | null | undefined }

/** What the parameters of an address ask for; what is missing or unknown is as usual. */
export function choiceOf({ style, show, label }: Query): BadgeChoice {
  return {
    style: badgeStyles.find((known) => known === style) ?? usualChoice.style,
    show: badgeShows.find((known) => known === show) ?? usualChoice.show,
    label: typeof label === 'string' ? labelOf(label) : usualLabel,
  }
}

/** Spaces as they would be shown: none at the ends, and one for several. */
function labelOf(text: string): string {
  if (text.length > longestLabel || !labelForm.test(text)) return usualLabel
  return text.trim().replace(/ +/g, ' ') || usualLabel
}
