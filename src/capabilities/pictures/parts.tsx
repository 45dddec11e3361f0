import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { Headline } from '../../domain/message/headline.ts'
import { heatLevels } from '../../domain/statistics/heat.ts'
import { type DeploymentDay, daysInOverview } from '../../domain/statistics/overview.ts'
import { weekdayOf } from '../../domain/time.ts'
import { avatarOf, coloursOf } from '../../views/parts/avatar.tsx'
import { forgeAndName, unescapedTarget } from '../../views/parts/readable-address.ts'
import { weeks } from '../../views/profile/year-heat-map.tsx'
import { family } from './font.ts'
import { drawable, fits, type Setting, shortened, wrapped } from './lines.ts'

/** The version of all cards, for their ETags. Increment it when a drawing changes. */
export const drawing = 3

/** In pixels, like every length here. */
export const cardSize = { width: 1200, height: 630 } as const

export const left = 64
export const room = cardSize.width - 2 * left

/** The frame of every card: always light, because chats cache one picture for both schemes. */
export function Card({ children }: PropsWithChildren): JSX.Element {
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
      {children}
    </svg>
  )
}

const name: Setting = { weight: 700, size: 29 }
export const facts: Setting = { weight: 400, size: 25 }
const posterHeight = 68
/** The lowest bottom edge that leaves the year below clear. */
const posterBottom = 412
/** From the left edge of the avatar to the texts on its right. */
const avatarToText = 88
export const roomNextToAvatar = room - avatarToText

type HeadlineProps = {
  headline: Pick<Headline, 'prefix' | 'subject'>
  /** The text to use if the subject cannot be drawn. */
  otherwise: string
}

type SubjectProps = HeadlineProps & {
  username: string
  /** The text next to the avatar; null if it cannot be drawn, and the username replaces it. */
  who: string | null
  facts: string
}

/** What is said, as large as fits, and below it who said it. */
export function SubjectAndPoster({ headline, otherwise, username, who, facts }: SubjectProps): JSX.Element {
  const { safeDrawing, end } = HeadlineLines({ headline, otherwise })
  const posterTop = end + 32
  // Half of the space that a short subject leaves above the year.
  const lower = Math.max(0, (posterBottom - posterHeight - posterTop) / 2)
  return (
    <g transform={`translate(0 ${lower})`}>
      {safeDrawing}
      <PosterLine username={username} who={who ?? `@${username}`} facts={facts} y={posterTop} />
    </g>
  )
}

type PosterProps = { username: string; who: string; facts: string; y: number }

function PosterLine({ username, who, facts: text, y }: PosterProps): JSX.Element {
  const { letters, tint } = avatarOf(username)
  const picture = coloursOf(tint)
  const x = left + avatarToText
  return (
    <g>
      <rect x={left} y={y} width={posterHeight} height={posterHeight} rx="15" fill={picture.ground} />
      <text
        x={left + posterHeight / 2}
        y={y + posterHeight * 0.68}
        font-size={posterHeight / 2}
        font-weight="700"
        text-anchor="middle"
        fill={picture.letters}
        safe
      >
        {letters}
      </text>
      <text x={x} y={y + 29} font-size={name.size} font-weight={name.weight} fill={colours.ink} safe>
        {shortened(who, roomNextToAvatar, name)}
      </text>
      <text x={x} y={y + 62} font-size={facts.size} fill={colours.soft} safe>
        {text}
      </text>
    </g>
  )
}

/** A display name or another text next to an avatar; null if Inter lacks its letters. */
export function drawableName(text: string): string | null {
  return drawable(text, name.weight)
}

/** A project without its forge and without escapes; null if Inter lacks its letters. */
export function drawableProject(target: string): string | null {
  return drawable(unescapedTarget(target).slice(forgeAndName(target).forge.length), facts.weight)
}

const prefixSetting: Setting = { weight: 400, size: 30 }
const large: Setting = { weight: 700, size: 72, spacing: -1.6 }
const small: Setting = { weight: 700, size: 48, spacing: -0.9 }
/** A subject with more characters than this is drawn small. */
const maxLarge = 54
const maxLines = 3
const lineHeight = 1.14
const top = 124

/** The prefix above the subject in at most three lines, and the baseline of the last line. */
export function HeadlineLines({ headline, otherwise }: HeadlineProps) {
  const drawn = drawable(headline.subject, large.weight)
  const subject = drawn ?? otherwise
  const prefix = drawn === null ? '' : (drawable(headline.prefix, prefixSetting.weight) ?? '')
  const setting = settingOf(subject, prefix === '' ? maxLines : maxLines - 1)
  const lines = wrapped(subject, room, maxLines, setting)
  const first = top + (prefix === '' ? 0 : prefixSetting.size + 4) + setting.size
  const step = setting.size * lineHeight
  const safeDrawing = (
    <>
      {prefix !== '' && (
        <text x={left} y={top + prefixSetting.size} font-size={prefixSetting.size} fill={colours.soft} safe>
          {shortened(prefix, room, prefixSetting)}
        </text>
      )}
      {lines.map((line, n) => (
        <text
          // Large letters have more space at their sides.
          x={left - setting.size / 36}
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
function settingOf(subject: string, lines: number): Setting {
  return [...subject].length <= maxLarge && fits(subject, room, lines, large) ? large : small
}

type YearStripProps = { days: readonly DeploymentDay[]; last: number }

/** The year up to the day `last` along the bottom, with one column per week and one path per level of heat. */
export function YearStrip({ days, last }: YearStripProps): JSX.Element {
  const first = last - daysInOverview + 1
  const counts = new Map(days.map(({ day, deployments }) => [day, deployments]))
  const levelOf = heatLevels([...counts.values()])
  const paths = heatColours.map(() => '')
  for (let day = first; day < first + daysInOverview; day += 1) {
    const place = weekdayOf(first) + day - first
    paths[levelOf(counts.get(day) ?? 0)] += `M${Math.floor(place / 7)} ${place % 7}${cell}`
  }
  const pitch = room / (weeks - 1 + side)
  return (
    <g
      transform={`translate(${left} ${yearTop}) scale(${pitch}) translate(${rounding / 2} ${rounding / 2})`}
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
const yearTop = 466
const side = 0.5 + rounding

/** The colours of the light pages (static/css/01-variables.css). */
export const colours = {
  ground: '#fbfbfa',
  ink: '#1c1d1f',
  soft: '#62656a',
  accent: '#0f7b4f',
} as const

/** From a day without deployments to the busiest. */
const heatColours = ['#ebebe9', '#bfe5d2', '#80cbab', '#3aa577', '#0f7b4f'] as const
