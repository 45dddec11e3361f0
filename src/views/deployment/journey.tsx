import { Html, type PropsWithChildren } from '@elysiajs/html'
import { shortDuration } from '../../domain/time.ts'
import { template } from '../parts/markup.ts'

type StopProps = {
  /** The page of the deployment. */
  address: string
  /** Null for a release that was announced without one. */
  environment: string | null
  /** Milliseconds from the stop before; null if that is not to be shown. */
  leg: number | null
  isLive?: boolean
}

/** The way of a release through the environments, of which the children are the stops: "dev 4 h → staging 1 d → production". */
export function Journey({ children }: PropsWithChildren): JSX.Element {
  return <ol class="journey">{children}</ol>
}

/** One stop of it. journeys.js makes those of an open list. */
export function StopOfJourney({ address, environment, leg, isLive = false }: StopProps): JSX.Element {
  const name = environment === null ? announced : tag({ environment })
  return stop({ address }, { leg: Leg({ duration: leg }), name, live: isLive ? LiveMark : '' })
}

/** How long a release took from the stop before; empty for null. */
export function Leg({ duration }: { duration: number | null }): JSX.Element {
  return duration === null ? '' : legOf({ duration: shortDuration(duration) ?? underAMinute })
}

const underAMinute = '< 1 min'

export const LiveMark = <span class="live-mark">live</span>

const stop = template<'address', 'leg' | 'name' | 'live'>(({ address }, { leg, name, live }) => (
  <li>
    {leg}
    <a class="environment" href={address}>
      {name}
    </a>
    {live}
  </li>
))

const legOf = template<'duration'>(({ duration }) => (
  <span class="leg">
    <span class="unseen">after </span>
    <span>{duration}</span>
  </span>
))

const tag = template<'environment'>(({ environment }) => <bdi class="tag">{environment}</bdi>)

const announced = <span>announced</span>
