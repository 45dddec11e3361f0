import { Html } from '@elysiajs/html'
import { family } from '../../../card/inter.ts'
import { drawable, type Setting, shortened, widthOf } from '../../../card/text.ts'
import { type Category, categories } from '../../../domain/category.ts'
import type { Deployment } from '../../../domain/deployment.ts'
import { headlineOf } from '../../../domain/entry/headline.ts'
import type { DeploymentDay } from '../../../domain/overview.ts'
import { dayInWords } from '../../parts/calendar.ts'
import { identiconOf } from '../../parts/identicon.tsx'
import { readableTarget } from '../../parts/readable-address.ts'
import { categoryColours, colours } from './colours.ts'
import { Headline } from './headline.tsx'
import { YearStrip } from './year-strip.tsx'

/** In pixels, as every length here. */
export const cardSize = { width: 1200, height: 630 } as const

const left = 64
const room = cardSize.width - 2 * left
const name: Setting = { weight: 700, size: 29 }
const facts: Setting = { weight: 400, size: 25 }
const label: Setting = { weight: 700, size: 24 }
const posterHeight = 68
/** What it keeps clear of the year below. */
const posterBottom = 412
/** From the left edge of the identicon to the texts beside it. */
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
 * keep it. Where Inter lacks letters, the project stands for the subject and the username for the name
 * (docs/decisions.md#pages).
 */
export function Card({ deployment, target, days }: Props): JSX.Element {
  const { message, category, deployedAt, poster } = deployment
  const project = target === null ? null : (drawable(readableTarget(target), facts.weight) ?? target)
  const { safeDrawing, end } = Headline({
    headline: headlineOf(message),
    otherwise: project ?? 'A deployment',
    ...{ x: left, width: room },
  })
  const posterTop = end + 32
  // Half of the room that a short subject leaves above the year.
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
        <Poster poster={poster} facts={factsOf(project, deployedAt)} y={posterTop} />
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

function Poster({ poster, facts: text, y }: PosterProps): JSX.Element {
  const { colour, path } = identiconOf(poster.username)
  const x = left + besideIdenticon
  const shown = drawable(poster.name, name.weight) || `@${poster.username}`
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

/** Project and date in one line; a long project gives way. */
function factsOf(project: string | null, deployedAt: Date): string {
  const date = dayInWords(deployedAt)
  if (project === null) return date
  const width = room - besideIdenticon - widthOf(` · ${date}`, facts)
  return `${shortened(project, width, facts)} · ${date}`
}
