export const badgeStyles = ['standard', 'square', 'dot'] as const
export type BadgeStyle = (typeof badgeStyles)[number]

/** What the right-hand word shows: the age of the latest deployment, or the name of its state. */
export const badgeShows = ['age', 'state'] as const
export type BadgeShow = (typeof badgeShows)[number]

/** The default left-hand word. */
export const usualLabel = 'deployed'
export const longestLabel = 20
/** Characters that text-width.ts knows and XML does not interpret, at least one of them not a space. */
export const labelPattern = '^ *[A-Za-z0-9._/-][A-Za-z0-9 ._/-]*$'
const labelForm = new RegExp(labelPattern)

/** The options in the address of a badge (docs/decisions.md#badge). */
export type BadgeChoice = { readonly style: BadgeStyle; readonly show: BadgeShow; readonly label: string }

export const usualChoice: BadgeChoice = { style: 'standard', show: 'state', label: usualLabel }

type Query = { readonly [Name in keyof BadgeChoice]?: string | null | undefined }

/** Reads the options from the parameters of an address. Missing and unknown values get their defaults. */
export function choiceOf({ style, show, label }: Query): BadgeChoice {
  return {
    style: badgeStyles.find((known) => known === style) ?? usualChoice.style,
    show: badgeShows.find((known) => known === show) ?? usualChoice.show,
    label: typeof label === 'string' ? labelOf(label) : usualLabel,
  }
}

/** Trims and collapses spaces, as a browser would when it draws them. */
function labelOf(text: string): string {
  if (text.length > longestLabel || !labelForm.test(text)) return usualLabel
  return text.trim().replace(/ +/g, ' ')
}
