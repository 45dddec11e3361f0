import { Html } from '@elysiajs/html'
import { type BadgeShow, badgeShows, longestLabel } from '../../badge/badge.ts'
import { defaultLabel } from '../../badge/status.ts'
import { badgeStyles } from '../../badge/styles.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { keepOnError } from '../parts/form.tsx'
import { escaped, template } from '../parts/markup.ts'
import { readableTarget } from '../parts/readable-address.ts'
import type { EmbeddedBadge } from './snippets.ts'

export type BadgePickersProps = {
  badge: EmbeddedBadge
  /** What the badge shows. */
  shows: JSX.Element
  picker: JSX.Element
  /** The environments to suggest, as options. */
  suggested: JSX.Element
}

/** The options of a badge: with scripts, each choice updates the panel; without, the form leads to a page. */
export function BadgePickers({ badge, shows, picker, suggested }: BadgePickersProps): JSX.Element {
  const { username, environment, style, show, label, pre } = badge
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
      {shows}
      {show === 'version' && (
        <WordPicker
          name="pre"
          legend="Of"
          words={['releases', 'prereleases too']}
          values={['0', '1']}
          chosen={pre ? '1' : '0'}
        />
      )}
      <div class="choice">
        <label for="badge-label">Label</label>
        <input
          id="badge-label"
          name="label"
          value={label === defaultLabel ? '' : label}
          placeholder={defaultLabel}
          maxlength={longestLabel}
          pattern="[A-Za-z0-9 ._\/\-]*"
          aria-describedby="badge-label-rule"
        />
        <p class="rule" id="badge-label-rule">
          Letters, digits, spaces and . _ / -
        </p>
      </div>
      {picker}
      {show !== 'environments' && <EnvironmentField environment={environment ?? ''} suggested={suggested} />}
      <button class="without-scripts" type="submit">
        Show
      </button>
    </form>
  )
}

type EnvironmentProps = { environment: string; suggested: JSX.Element }

function EnvironmentField({ environment, suggested }: EnvironmentProps): JSX.Element {
  return (
    <div class="choice">
      <label for="badge-env">In</label>
      <input
        id="badge-env"
        name="env"
        value={escaped(environment)}
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
  )
}

type ShowsProps = { chosen: BadgeShow; hasTargets: boolean }

/** What a badge may show; the environments only if there is a project that may have some. */
export function ShowsPicker({ chosen, hasTargets }: ShowsProps): JSX.Element {
  const words = badgeShows.filter((show) => hasTargets || show !== 'environments')
  return <WordPicker name="show" legend="Shows" words={words} chosen={chosen} />
}

type WordProps = {
  name: string
  legend: string
  words: readonly string[]
  /** What is sent for each word, unless it is the word. */
  values?: readonly string[]
  chosen: string
}

function WordPicker({ name, legend, words, values = words, chosen }: WordProps): JSX.Element {
  return (
    <fieldset class="choice" aria-labelledby={`badge-${name}`}>
      <span id={`badge-${name}`} safe>
        {legend}
      </span>
      {words.map((word, n) => (
        <>
          <input
            class="unseen"
            type="radio"
            name={name}
            id={`badge-${name}-${values[n]}`}
            value={values[n]}
            checked={values[n] === chosen}
          />
          <label for={`badge-${name}-${values[n]}`} safe>
            {word}
          </label>
        </>
      ))}
    </fieldset>
  )
}

type TargetProps = { chosen: string | null; targets: readonly string[]; isNeeded: boolean }

export function TargetPicker({ chosen, targets, isNeeded }: TargetProps): JSX.Element {
  return (
    <div class="choice">
      <label for="badge-target">For</label>
      <select id="badge-target" name="target">
        {!isNeeded && <option value="">all projects</option>}
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
