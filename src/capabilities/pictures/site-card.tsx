import { Html } from '@elysiajs/html'
import { statusColours, statusWords } from '../../badge/status.ts'
import { drawable, type Setting, shortened, widthOf } from './lines.ts'
import { Card, colours, facts, HeadlineLines, left, room } from './parts.tsx'

const statuses = ['Fresh', 'Warm', 'Active', 'Quiet', 'Stale'] as const
const word: Setting = { weight: 700, size: 28 }
const pill = { top: 490, height: 60, padding: 30, gap: 18 } as const

export function SiteCard({ tagline, host }: { tagline: string; host: string }): JSX.Element {
  const { safeDrawing, end } = HeadlineLines({
    headline: { prefix: '', subject: tagline },
    otherwise: tagline,
  })
  const safeHost = drawable(host, facts.weight)
  return (
    <Card>
      {safeDrawing}
      {safeHost !== null && (
        <text x={left} y={end + 64} font-size={facts.size} fill={colours.soft} safe>
          {shortened(safeHost, room, facts)}
        </text>
      )}
      {pills()}
    </Card>
  )
}

function pills(): JSX.Element[] {
  let x = left
  return statuses.map((status) => {
    const width = widthOf(statusWords[status], word) + 2 * pill.padding
    const drawn = (
      <g>
        <rect {...{ x, y: pill.top, width, height: pill.height, rx: 12 }} fill={statusColours[status]} />
        <text
          x={x + pill.padding}
          y={pill.top + 40}
          font-size={word.size}
          font-weight={word.weight}
          fill={colours.ground}
          safe
        >
          {statusWords[status]}
        </text>
      </g>
    )
    x += width + pill.gap
    return drawn
  })
}
