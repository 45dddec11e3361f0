import { Html } from '@elysiajs/html'
import { badgeShows, longestLabel } from '../../badge/badge.ts'
import { usualLabel } from '../../badge/status.ts'
import { badgeStyles } from '../../badge/styles.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { keepOnError } from '../parts/form.tsx'
import { escaped, template } from '../parts/markup.ts'
import { readableTarget } from '../parts/readable-address.ts'
import type { EmbeddedBadge } from './snippets.ts'

export type BadgePickersProps = {
  badge: EmbeddedBadge
  picker: JSX.Element
  /** The environments to suggest, as options. */
  suggested: JSX.Element
}

/** The options of a badge: with scripts, each choice updates the panel; without, the form leads to a page. */
export function BadgePickers({ badge, picker, suggested }: BadgePickersProps): JSX.Element {
  const { username, environment, style, show, label } = badge
  const address = `/${username}/badge`
  return (
    <form
      class="pickers"
      action={address}
      autocomplete="off"
      hx-get={address}
      hx-trigger="change"
      hx-target="#embed"
      hx-select="#embed"
      hx-swap="outerMorph"
      hx-sync="this:replace"
      {...keepOnError}
    >
      <WordPicker name="style" legend="Style" words={badgeStyles} chosen={style} />
      <WordPicker name="show" legend="Shows" words={badgeShows} chosen={show} />
      <div class="choice">
        <label for="badge-label">Label</label>
        <input
          id="badge-label"
          name="label"
          value={label === usualLabel ? '' : label}
          placeholder={usualLabel}
          maxlength={longestLabel}
          pattern="[A-Za-z0-9 ._\/\-]*"
          aria-describedby="badge-label-rule"
        />
        <p class="rule" id="badge-label-rule">
          Letters, digits, spaces and . _ / -
        </p>
      </div>
      {picker}
      <div class="choice">
        <label for="badge-env">In</label>
        <input
          id="badge-env"
          name="env"
          value={escaped(environment ?? '')}
          list="badge-environments"
          placeholder="any environment"
          maxlength={textBounds.environment}
          pattern="[A-Za-z0-9._\/\-]*"
          aria-describedby="badge-env-rule"
          autocapitalize="none"
          spellcheck="false"
        />
        <datalist id="badge-environments">{suggested}</datalist>
        <p class="rule" id="badge-env-rule">
          Letters, digits and . _ / -, such as production
        </p>
      </div>
      <button class="without-scripts" type="submit">
        Show
      </button>
    </form>
  )
}

type WordProps = { name: string; legend: string; words: readonly string[]; chosen: string }

function WordPicker({ name, legend, words, chosen }: WordProps): JSX.Element {
  return (
    <fieldset class="choice" aria-labelledby={`badge-${name}`}>
      <span id={`badge-${name}`} safe>
        {legend}
      </span>
      {words.map((word) => (
        <>
          <input
            class="unseen"
            type="radio"
            name={name}
            id={`badge-${name}-${word}`}
            value={word}
            checked={word === chosen}
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

export function TargetPicker({ chosen, targets }: TargetProps): JSX.Element {
  return (
    <div class="choice">
      <label for="badge-target">For</label>
      <select id="badge-target" name="target">
        <option value="">all projects</option>
        {targets.map((target) => {
          const option = target === chosen ? chosenOption : otherOption
          return option({ target, name: readableTarget(target) })
        })}
      </select>
    </div>
  )
}

const optionOf = (isChosen: boolean) =>
  template<'target' | 'name'>(({ target, name }) => (
    <option value={target} selected={isChosen}>
      {name}
    </option>
  ))
const chosenOption = optionOf(true)
const otherOption = optionOf(false)
