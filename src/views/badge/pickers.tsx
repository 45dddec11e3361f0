import { Html } from '@elysiajs/html'
import { badgeStyles } from '../../badge/badge.ts'
import { attribute } from '../parts/attribute.ts'
import { keepOnError } from '../parts/htmx.ts'
import { readableTarget } from '../parts/readable-address.ts'
import { type BadgeChoice, badgeAddress } from './snippets.ts'

const styleNames = { standard: 'Standard', square: 'Square', dot: 'Dot' } as const

type Props = { choice: BadgeChoice; targets: readonly string[] }

/** A form that leads to the badge's own page; with scripts, each choice is shown at once. */
export function BadgePickers({ choice, targets }: Props): JSX.Element {
  const { username, target } = choice
  const address = `/${username}/badge`
  const offered = target === null || targets.includes(target) ? targets : [target, ...targets]
  return (
    <form
      class="pickers stack"
      action={address}
      hx-get={address}
      hx-trigger="change"
      hx-target="#embed"
      hx-select="#embed"
      hx-swap="outerMorph"
      hx-sync="this:replace"
      {...keepOnError}
    >
      <StylePicker choice={choice} />
      {offered.length > 0 && <TargetPicker chosen={choice.target} targets={offered} />}
      <button class="without-scripts" type="submit">
        Show
      </button>
    </form>
  )
}

/** Each style, shown as the badge is now. */
function StylePicker({ choice }: { choice: BadgeChoice }): JSX.Element {
  return (
    <fieldset class="badge-styles">
      <legend class="unseen">Style</legend>
      {badgeStyles.map((style) => (
        <>
          <input
            class="unseen"
            type="radio"
            name="style"
            id={`badge-style-${style}`}
            value={style}
            checked={style === choice.style}
            autocomplete="off"
          />
          <label for={`badge-style-${style}`}>
            <img src={attribute(badgeAddress({ ...choice, style }))} alt={styleNames[style]} height="20" />
          </label>
        </>
      ))}
    </fieldset>
  )
}

type TargetProps = { chosen: string | null; targets: readonly string[] }

function TargetPicker({ chosen, targets }: TargetProps): JSX.Element {
  return (
    <div class="field">
      <label for="badge-target">Counts deployments to</label>
      <select id="badge-target" name="target" autocomplete="off">
        <option value="">every target</option>
        {targets.map((target) => (
          <option value={attribute(target)} selected={target === chosen} safe>
            {readableTarget(target)}
          </option>
        ))}
      </select>
    </div>
  )
}
