import { Html } from '@elysiajs/html'
import { badgeShows, badgeStyles, longestLabel, usualLabel } from '../../badge/choice.ts'
import { attribute } from '../parts/attribute.ts'
import { keepOnError } from '../parts/htmx.ts'
import { readableTarget } from '../parts/readable-address.ts'
import type { EmbeddedBadge } from './snippets.ts'

type Props = { badge: EmbeddedBadge; targets: readonly string[] }

/** A form that leads to the badge's own page; with scripts, each choice is shown at once. */
export function BadgePickers({ badge, targets }: Props): JSX.Element {
  const { username, target, style, show, label } = badge
  const address = `/${username}/badge`
  const offered = target === null || targets.includes(target) ? targets : [target, ...targets]
  return (
    <form
      class="pickers"
      action={address}
      hx-get={address}
      hx-trigger="change"
      hx-target="#embed"
      hx-select="#embed"
      hx-swap="outerMorph"
      hx-sync="this:replace"
      {...keepOnError}
    >
      <WordPicker name="style" legend="Style" words={badgeStyles} chosen={style} />
      <WordPicker name="show" legend="Says" words={badgeShows} chosen={show} />
      <div class="choice">
        <label for="badge-label">Label</label>
        <input
          id="badge-label"
          name="label"
          value={label === usualLabel ? '' : label}
          placeholder={usualLabel}
          maxlength={longestLabel}
          pattern="[A-Za-z0-9 ._\/\-]*"
          title="Letters, digits, spaces and . _ / -"
          autocomplete="off"
        />
      </div>
      {offered.length > 0 && <TargetPicker chosen={target} targets={offered} />}
      <button class="without-scripts" type="submit">
        Show
      </button>
    </form>
  )
}

type WordProps = { name: string; legend: string; words: readonly string[]; chosen: string }

function WordPicker({ name, legend, words, chosen }: WordProps): JSX.Element {
  return (
    <fieldset class="choice">
      <legend safe>{legend}</legend>
      {words.map((word) => (
        <>
          <input
            class="unseen"
            type="radio"
            name={name}
            id={`badge-${name}-${word}`}
            value={word}
            checked={word === chosen}
            autocomplete="off"
          />
          <label for={`badge-${name}-${word}`} safe>
            {word}
          </label>
        </>
      ))}
    </fieldset>
  )
}

type TargetProps = { chosen: string | null; targets: readonly string[] }

function TargetPicker({ chosen, targets }: TargetProps): JSX.Element {
  return (
    <div class="choice">
      <label for="badge-target">Of</label>
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
