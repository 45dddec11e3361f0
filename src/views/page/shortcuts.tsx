import { Html } from '@elysiajs/html'
import type { Site } from './site.ts'

const keyOfSearch = ['/', 'Search'] as const
const keys = [
  ['j', 'Next deployment'],
  ['k', 'Previous deployment'],
  ['?', 'Show or hide the shortcuts'],
] as const

/** The button that shows the keys of a page with a list, and what a search may ask for. keys.js listens to the keys. */
export function Shortcuts({ search }: Pick<Site, 'search'>): JSX.Element {
  return (
    <>
      <button type="button" class="plain with-scripts" popovertarget="shortcuts" aria-keyshortcuts="?">
        Shortcuts
      </button>
      <div id="shortcuts" class="panel" popover role="dialog" aria-label="Keyboard shortcuts">
        <h2>Keyboard shortcuts</h2>
        <Rows rows={search === null ? keys : [keyOfSearch, ...keys]} of="kbd" />
        <div class="choice">
          <input type="checkbox" id="single-keys" checked autocomplete="off" />
          <label for="single-keys">Use these keys</label>
        </div>
        {search !== null && (
          <>
            <h2 class="of-search">Search for</h2>
            <Rows rows={search.examples} of="code" />
          </>
        )}
      </div>
    </>
  )
}

type RowsProps = { rows: readonly (readonly [typed: string, meaning: string])[]; of: 'kbd' | 'code' }

function Rows({ rows, of }: RowsProps): JSX.Element {
  return (
    <dl>
      {rows.map(([typed, meaning]) => (
        <>
          <dt>{of === 'kbd' ? <kbd safe>{typed}</kbd> : <code safe>{typed}</code>}</dt>
          <dd safe>{meaning}</dd>
        </>
      ))}
    </dl>
  )
}
