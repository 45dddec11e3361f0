import { Html, type PropsWithChildren } from '@elysiajs/html'
import { escaped } from './markup.ts'

type SnippetProps = {
  code: string
  label?: string
  /** If given, there is a copy button. */
  id?: string
  isOneLine?: boolean
}

/** Text to be copied: one click selects all of it. */
export function Snippet({ label, code, id, isOneLine = false }: SnippetProps): JSX.Element {
  return (
    <figure class="snippet">
      {label !== undefined && <figcaption safe>{label}</figcaption>}
      {id !== undefined && <CopyButton of={id} what={label ?? 'it'} />}
      {/* The focus lets keyboard users scroll long lines. */}
      <pre tabindex={isOneLine ? '0' : undefined}>
        <code id={id}>{coloured(code)}</code>
      </pre>
    </figure>
  )
}

/** What most languages of our snippets have in common. */
const token =
  /(?<comment>(?<=^|\s)(?:#|\/\/) .*)|(?<key>(?<=^[ -]{0,20}|[{,] )[\w.-]+(?=: |:$)|"\w+"(?=: ))|(?<string>(?<!\\)"(?:[^"\\]|\\.)*"|'[^']*')/gm

/** The markup of a snippet, in which comments, keys and strings have a colour. */
function coloured(code: string): JSX.Element {
  let markup = ''
  let end = 0
  for (const { 0: text, index, groups = {} } of code.matchAll(token)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    markup += `${escaped(code.slice(end, index))}<span class="${kind}">${escaped(text)}</span>`
    end = index + text.length
  }
  return markup + escaped(code.slice(end))
}

type SecretProps = PropsWithChildren<{
  secret: string
  /** What it is, in a sentence. */
  label: string
  /** Its name for screen readers. */
  what?: string
  id?: string
  takesFocus?: boolean
}>

/** A secret that is shown once, after it was made. */
export function NewSecret(props: SecretProps): JSX.Element {
  const { secret, label, what = 'the secret', id = 'new-secret', takesFocus = false, children } = props
  return (
    <div class="field new-token">
      <label for={id} safe>{`${label} Copy it now: it is not shown again.`}</label>
      <div class="copied-from">
        <input id={id} value={secret} readonly autocomplete="off" spellcheck="false" autofocus={takesFocus} />
        <CopyButton of={id} what={what} />
      </div>
      {children}
    </div>
  )
}

/** Copies the text of the element with the id `of`; hidden until copy.js shows it. `what` is for screen readers. */
function CopyButton({ of, what }: { of: string; what: string }): JSX.Element {
  return (
    <button type="button" class="copy" data-copy={of} hidden>
      Copy<span class="unseen" safe>{` ${what}`}</span>
    </button>
  )
}

type TabsProps = {
  name: string
  legend: string
  /** Whether the choices are plain words after the legend, among other choices that look alike. */
  inWords?: boolean
  snippets: readonly (readonly [label: string, code: string])[]
}

/** One of several snippets, by radio buttons. Button, label and snippet must stay siblings in this order for the CSS. */
export function SnippetTabs({ name, legend, inWords = false, snippets }: TabsProps): JSX.Element {
  return (
    <fieldset class={inWords ? 'snippet-tabs choice' : 'snippet-tabs'} aria-labelledby={`${name}-legend`}>
      <span id={`${name}-legend`} class={inWords ? '' : 'unseen'} safe>
        {legend}
      </span>
      {snippets.map(([label, code], n) => {
        const id = `${name}-${n}`
        const tab = `${id}-tab`
        return (
          <>
            <input class="unseen" type="radio" name={name} id={tab} checked={n === 0} autocomplete="off" />
            <label class="snippet-tab" for={tab} safe>
              {label}
            </label>
            <Snippet id={id} code={code} isOneLine={inWords} />
          </>
        )
      })}
    </fieldset>
  )
}
