import { Html } from '@elysiajs/html'
import { family } from '../../card/font.ts'
import { drawable, fits, type Setting, shortened, widthOf, wrapped } from '../../card/lines.ts'
import { type Category, categories } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { headlineOf, type Headline as Parts } from '../../domain/headline.ts'
import { heatLevels } from '../../domain/heat.ts'
import { type DeploymentDay, daysInOverview } from '../../domain/overview.ts'
import { utcDayOf } from '../../domain/time.ts'
import { dayInWords } from '../parts/calendar.ts'
import { identiconOf } from '../parts/identicon.tsx'
import { unescapedTarget } from '../parts/readable-address.ts'
import { weekdayOf, weeks } from '../profile/year-calendar.ts'

/** The version of this drawing, for ETags. Increment it when the drawing changes. */
export const drawing = 1

/** In pixels, like every length here. */
export const cardSize = { width: 1200, height: 630 } as const

const left = 64
const room = cardSize.width - 2 * left
const name: Setting = { weight: 700, size: 29 }
const facts: Setting = { weight: 400, size: 25 }
const label: Setting = { weight: 700, size: 24 }
const posterHeight = 68
/** The lowest bottom edge that leaves the year below clear. */
const posterBottom = 412
/** From the left edge of the identicon to the texts on its right. */
const besideIdenticon = 88

type Props = {
  deployment: Deployment
  /** The scope of its project. */
  target: string | null
  /** The days of the year up to the deployment. */
  days: readonly DeploymentDay[]
}

/**
 * The picture of a deployment for chats and timelines, as SVG: always light, and without an age, because they
 * cache it. If Inter lacks letters, the project or "@ada deployed" replaces the subject, and the username replaces
 * the name (docs/decisions.md#pages).
 */
export function DeploymentCard({ deployment, target, days }: Props): JSX.Element {
  const { message, category, deployedAt, poster } = deployment
  const project = target === null ? null : drawable(unescapedTarget(target), facts.weight)
  const { safeDrawing, end } = HeadlineLines({
    headline: headlineOf(message),
    otherwise: project ?? `@${poster.username} deployed`,
    ...{ x: left, width: room },
  })
  const posterTop = end + 32
  // Half of the space that a short subject leaves above the year.
  const lower = Math.max(0, (posterBottom - posterHeight - posterTop) / 2)
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={cardSize.width}
      height={cardSize.height}
      viewBox={`0 0 ${cardSize.width} ${cardSize.height}`}
      font-family={family}
      aria-hidden="true"
    >
      <rect width={cardSize.width} height={cardSize.height} fill={colours.ground} />
      <g
        transform={`translate(${left} 56) scale(1.9)`}
        fill="none"
        stroke={colours.accent}
        stroke-width="2.4"
      >
        <path d="m2 11 8-8 8 8M2 18l8-8 8 8" />
      </g>
      <text x={left + 50} y="86" font-size="30" font-weight="700" fill={colours.ink}>
        Shipfeed
      </text>
      {category !== null && <Label category={category} />}
      <g transform={`translate(0 ${lower})`}>
        {safeDrawing}
        <PosterLine poster={poster} facts={factsLine(project, deployedAt)} y={posterTop} />
      </g>
      <YearStrip days={days} last={deployedAt} x={left} y={466} width={room} />
    </svg>
  )
}

function Label({ category }: { category: Category }): JSX.Element {
  const width = widthOf(categories[category], label) + 52
  const right = cardSize.width - left
  const colour = categoryColours[category]
  return (
    <g>
      <rect x={right - width} y="58" width={width} height="42" rx="21" fill={colour} opacity="0.1" />
      <text
        x={right - width / 2}
        y="87"
        font-size={label.size}
        font-weight={label.weight}
        text-anchor="middle"
        fill={colour}
      >
        {categories[category]}
      </text>
    </g>
  )
}

type PosterProps = { poster: Deployment['poster']; facts: string; y: number }

function PosterLine({ poster, facts: text, y }: PosterProps): JSX.Element {
  const { colour, path } = identiconOf(poster.username)
  const x = left + besideIdenticon
  const shown = drawable(poster.name, name.weight) ?? `@${poster.username}`
  return (
    <g>
      <rect x={left} y={y} width={posterHeight} height={posterHeight} rx="15" fill={colour} opacity="0.16" />
      <path d={path} fill={colour} transform={`translate(${left} ${y}) scale(8.5) translate(1.5 1.5)`} />
      <text x={x} y={y + 29} font-size={name.size} font-weight={name.weight} fill={colours.ink} safe>
        {shortened(shown, room - besideIdenticon, name)}
      </text>
      <text x={x} y={y + 62} font-size={facts.size} fill={colours.soft} safe>
        {text}
      </text>
    </g>
  )
}

/** Project and date on one line; a long project is shortened. */
function factsLine(project: string | null, deployedAt: Date): string {
  const date = dayInWords(deployedAt)
  if (project === null) return date
  const width = room - besideIdenticon - widthOf(` · ${date}`, facts)
  return `${shortened(project, width, facts)} · ${date}`
}

const prefixSetting: Setting = { weight: 400, size: 30 }
const large: Setting = { weight: 700, size: 72, spacing: -1.6 }
const small: Setting = { weight: 700, size: 48, spacing: -0.9 }
/** A subject with more characters than this is small. */
const mostLarge = 54
const mostLines = 3
const lineHeight = 1.14
const top = 124

type HeadlineProps = {
  headline: Parts
  /** The text to use if the subject cannot be drawn. */
  otherwise: string
  x: number
  width: number
}

/** The prefix above the subject in at most three lines, and the baseline of the last line. */
function HeadlineLines({ headline, otherwise, x, width }: HeadlineProps): {
  safeDrawing: JSX.Element
  end: number
} {
  const drawn = drawable(headline.subject, large.weight)
  const subject = drawn ?? otherwise
  const prefix = drawn === null ? '' : (drawable(headline.prefix, prefixSetting.weight) ?? '')
  const setting = settingOf(subject, { width, hasPrefix: prefix !== '' })
  const lines = wrapped(subject, width, mostLines, setting)
  const first = top + (prefix === '' ? 0 : prefixSetting.size + 4) + setting.size
  const step = setting.size * lineHeight
  const safeDrawing = (
    <>
      {prefix !== '' && (
        <text x={x} y={top + prefixSetting.size} font-size={prefixSetting.size} fill={colours.soft} safe>
          {shortened(prefix, width, prefixSetting)}
        </text>
      )}
      {lines.map((line, n) => (
        <text
          // Large letters have more space at their sides.
          x={x - setting.size / 36}
          y={first + n * step}
          font-size={setting.size}
          font-weight={setting.weight}
          letter-spacing={setting.spacing}
          fill={colours.ink}
          safe
        >
          {line}
        </text>
      ))}
    </>
  )
  return { safeDrawing, end: first + (lines.length - 1) * step }
}

/** Large if the subject is short enough to leave room for the poster above the year. */
function settingOf(subject: string, { width, hasPrefix }: { width: number; hasPrefix: boolean }): Setting {
  const lines = hasPrefix ? mostLines - 1 : mostLines
  return [...subject].length <= mostLarge && fits(subject, width, lines, large) ? large : small
}

type YearStripProps = { days: readonly DeploymentDay[]; last: Date; x: number; y: number; width: number }

/** The year up to a day along the bottom, with one column per week and one path per level of heat. */
function YearStrip({ days, last, x, y, width }: YearStripProps): JSX.Element {
  const first = utcDayOf(last) - daysInOverview + 1
  const counts = new Map(days.map(({ day, deployments }) => [day, deployments]))
  const levelOf = heatLevels([...counts.values()])
  const paths = heatColours.map(() => '')
  for (let day = first; day < first + daysInOverview; day += 1) {
    const place = weekdayOf(first) + day - first
    paths[levelOf(counts.get(day) ?? 0)] += `M${Math.floor(place / 7)} ${place % 7}${cell}`
  }
  const pitch = width / (weeks - 1 + side)
  return (
    <g
      transform={`translate(${x} ${y}) scale(${pitch}) translate(${rounding / 2} ${rounding / 2})`}
      stroke-width={rounding}
      stroke-linejoin="round"
    >
      {paths.map((path, level) => (
        <path d={path} fill={heatColours[level]} stroke={heatColours[level]} />
      ))}
    </g>
  )
}

/** A square of 0.5 with a stroke of 0.3, which rounds its corners. A year of them is 5 KB. */
const cell = 'h.5v.5h-.5z'
const rounding = 0.3
const side = 0.5 + rounding

/** The colours of the light pages (static/css/01-tokens.css), because chats cache one picture for both schemes. */
const colours = {
  ground: '#fbfbfa',
  ink: '#1c1d1f',
  soft: '#62656a',
  accent: '#0f7b4f',
} as const

const categoryColours: Readonly<Record<Category, string>> = {
  feature: '#1f5fbf',
  bug_fix: '#b42332',
  performance_improvement: '#8a5a00',
  styling_change: '#8a3fa0',
}

/** From a day without deployments to the busiest. */
const heatColours = ['#ebebe9', '#bfe5d2', '#80cbab', '#3aa577', '#0f7b4f'] as const
