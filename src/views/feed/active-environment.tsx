import { Html } from '@elysiajs/html'
import { attribute } from '../parts/attribute.ts'

type Props = { environment: string; clear: string }

/** Says that a list is of one environment; `clear` is the address of the list of all. */
export function ActiveEnvironment({ environment, clear }: Props): JSX.Element {
  return (
    <p class="active-target">
      Only deployments to <strong safe>{environment}</strong>.{' '}
      <a href={attribute(clear)}>Show all environments</a>
    </p>
  )
}
