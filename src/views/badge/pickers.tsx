import { Html } from '@elysiajs/html'
import { badgeShows, longestLabel } from '../../badge/badge.ts'
import { defaultLabel } from '../../badge/status.ts'
import { badgeStyles } from '../../badge/styles.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { keepOnError } from '../parts/form.tsx'
import { escaped } from '../parts/markup.ts'
import { readableTarget } from '../parts/readable-address.ts'
import type { EmbeddedBadge } from './snippets.ts'

type Props = {
  badge: EmbeddedBadge
  /** The targets to choose from. */
  targets: readonly string[]
  /** The environments to suggest, as written. */
  environments: readonly string[]
}

/** The options of a badge: with scripts, each choice updates the panel; without, the form leads to a page. */
export function BadgePickers({ badge, targets, environments }: Props): JSX.Element {
  const { username, target, environment, style, show, label, pre } = badge
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
      {/* Environments are shown of a project, if there is one that may have some. */}
      <WordPicker
        name="show"
        legend="Shows"
        words={badgeShows.filter((one) => targets.length > 0 || one !== 'environments')}
        chosen={show}
      />
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
      {targets.length > 0 && (
        <TargetPicker chosen={target} targets={targets} isNeeded={show === 'environments'} />
      )}
      {show !== 'environments' && <EnvironmentField chosen={environment ?? ''} environments={environments} />}
      <button class="without-scripts" type="submit">
        Show
      </button>
    </form>
  )
}

type EnvironmentProps = { chosen: string; environments: readonly string[] }

function EnvironmentField({ chosen, environments }: EnvironmentProps): JSX.Element {
  return (
    <div class="choice">
      <label for="badge-env">In</label>
      <input
        id="badge-env"
        name="env"
        value={escaped(chosen)}
        list="badge-environments"
        placeholder="any environment"
        maxlength={textBounds.environment}
        pattern="[A-Za-z0-9._\/\-]*"
        aria-describedby="badge-env-rule"
        autocapitalize="none"
        spellcheck="false"
      />
      <datalist id="badge-environments">
        {environments.map((name) => (
          <option value={escaped(name)}></option>
        ))}
      </datalist>
      <p class="rule" id="badge-env-rule">
        Letters, digits and . _ / -, such as production
      </p>
    </div>
  )
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

function TargetPicker({ chosen, targets, isNeeded }: TargetProps): JSX.Element {
  return (
    <div class="choice">
      <label for="badge-target">For</label>
      <select id="badge-target" name="target">
        {!isNeeded && <option value="">all projects</option>}
        {targets.map((target) => (
          <option value={escaped(target)} selected={target === chosen}>
            {escaped(readableTarget(target))}
          </option>
        ))}
      </select>
    </div>
  )
}
