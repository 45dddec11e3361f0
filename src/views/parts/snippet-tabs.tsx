import { Html } from '@elysiajs/html'
import { Snippet } from './snippet.tsx'

type Props = { name: string; legend: string; snippets: readonly (readonly [label: string, code: string])[] }

/** One snippet of several, chosen by radio buttons: tabs that need no JavaScript. */
export function SnippetTabs({ name, legend, snippets }: Props): JSX.Element {
  return (
    <fieldset class="snippet-tabs">
      <legend class="unseen" safe>
        {legend}
      </legend>
      {snippets.map(([label, code], n) => (
        <SnippetTab name={name} id={`${name}-${n}`} label={label} code={code} checked={n === 0} />
      ))}
    </fieldset>
  )
}

type TabProps = { name: string; id: string; label: string; code: string; checked: boolean }

/** The stylesheet shows what follows the checked one: the three have to stay next to each other. */
function SnippetTab({ name, id, label, code, checked }: TabProps): JSX.Element {
  return (
    <>
      <input class="unseen" type="radio" name={name} id={`${id}-tab`} checked={checked} autocomplete="off" />
      <label class="snippet-tab" for={`${id}-tab`} safe>
        {label}
      </label>
      <Snippet id={id} code={code} />
    </>
  )
}
