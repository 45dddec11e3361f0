import { Html } from '@elysiajs/html'
import { type Category, categories } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { headlineOf } from '../../domain/message/headline.ts'
import { plainLine } from '../../domain/message/headline-pieces.ts'
import type { DeploymentDay } from '../../domain/statistics/overview.ts'
import { utcDayOf } from '../../domain/time.ts'
import { dayInWords } from '../../views/parts/dates.ts'
import { type Setting, shortened, widthOf } from './lines.ts'
import {
  Card,
  cardSize,
  drawableName,
  drawableProject,
  facts,
  left,
  roomNextToAvatar,
  SubjectAndPoster,
  YearStrip,
} from './parts.tsx'

const label: Setting = { weight: 700, size: 24 }

/** `target` is the scope of its project, and `days` are those of the year up to it. */
type Props = { deployment: Deployment; target: string | null; days: readonly DeploymentDay[] }

/** The picture of a deployment for chats and timelines, as SVG: without an age, because they cache it. */
export function DeploymentCard({ deployment, target, days }: Props): JSX.Element {
  const { message, category, deployedAt, poster } = deployment
  const { prefix, subject } = headlineOf(message)
  const project = target === null ? null : drawableProject(target)
  return (
    <Card>
      {category !== null && <Label category={category} />}
      <SubjectAndPoster
        headline={{ prefix: plainLine(prefix), subject: plainLine(subject) }}
        otherwise={project ?? `@${poster.username} deployed`}
        username={poster.username}
        who={drawableName(poster.name)}
        facts={factsLine(project, deployedAt)}
      />
      <YearStrip days={days} last={utcDayOf(deployedAt)} />
    </Card>
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

/** Project and date on one line; a long project is shortened. */
function factsLine(project: string | null, deployedAt: Date): string {
  const date = dayInWords(deployedAt)
  if (project === null) return date
  const width = roomNextToAvatar - widthOf(` · ${date}`, facts)
  return `${shortened(project, width, facts)} · ${date}`
}

const categoryColours: Readonly<Record<Category, string>> = {
  feature: '#1f5fbf',
  bug_fix: '#b42332',
  performance_improvement: '#8a5a00',
  styling_change: '#8a3fa0',
}
