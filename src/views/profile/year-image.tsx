import { Html } from '@elysiajs/html'
import { deploymentsBetween } from '../../domain/statistics/frequency.ts'
import type { DeploymentDay } from '../../domain/statistics/overview.ts'
import { counted } from '../parts/numbers.ts'
import { daysOf, firstDayAt, scaleUpTo, yearUpTo } from './year-heat-map.tsx'

/** The colours that a year can have in a README; `auto` follows the reader's. */
export const yearThemes = ['auto', 'light', 'dark'] as const
type YearTheme = (typeof yearThemes)[number]

/** Reads a theme; a missing or unknown one is `auto`. */
export function themeOf(text: string | null | undefined): YearTheme {
  return yearThemes.find((theme) => theme === text) ?? 'auto'
}

export const yearImageSize = { width: 717, height: 134 } as const

/** The colours of the text and of the levels of heat, as on the pages (static/css/10-year.css). */
const light = styleOf('#62656a', ['#ebebe9', '#bfe5d2', '#80cbab', '#3aa577', '#0f7b4f'])
const dark = styleOf('#9ba0a6', ['#202428', '#12422f', '#186a49', '#25a06c', '#3fcf8e'])

const styles: Readonly<Record<YearTheme, string>> = {
  light,
  dark,
  auto: `${light}@media(prefers-color-scheme:dark){${dark}}`,
}

function styleOf(text: string, levels: readonly string[]): string {
  return `text{fill:${text}}${levels.map((level, n) => `.h${n}{color:${level}}`).join('')}`
}

type Props = {
  theme: YearTheme
  /** The last day of the year, by its number. */
  today: number
  /** Null if the user is unknown or the database cannot answer, as `caption` then says. */
  days: readonly DeploymentDay[] | null
  caption?: string
}

/** The year of a user or of a project as a picture for a README. It holds no text of a user. */
export function YearImage({ theme, today, days, caption }: Props): JSX.Element {
  const calendar = yearUpTo(today)
  const total = deploymentsBetween(days ?? [], calendar.first, today)
  const said = caption ?? `${counted(total, 'deployment')} in the last year`
  const { width, height } = yearImageSize
  const { left, top } = firstDayAt
  const safeStyle = styles[theme]
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={said}
      font-family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif"
      font-size="10"
    >
      <title safe>{said}</title>
      <style>{safeStyle}</style>
      {scaleUpTo(today)}
      <g transform={`translate(${left} ${top})`}>{daysOf(days ?? [], today, 0)}</g>
      <text x={left} y={height - 8} font-size="12" safe>
        {said}
      </text>
    </svg>
  )
}
