import { Html } from '@elysiajs/html'

const keys = [
  ['/', 'Search'],
  ['j', 'Next deployment'],
  ['k', 'Previous deployment'],
  ['?', 'Show or hide the shortcuts'],
] as const

const searches = [
  ['cache', 'words that begin like this'],
  ['"hot cache"', 'this phrase'],
  ['-draft', 'without this word'],
  ['@ada', 'by this person'],
  ['github.com/ada', 'to this host or project'],
  ['env:production', 'to this environment'],
  ['category:bug_fix', 'of this category'],
] as const

/** The button that shows the keys of a page with a list, and what a search may ask for. keys.js listens to the keys. */
export function Shortcuts(): JSX.Element {
  return (
    <>
      <button type="button" class="plain with-scripts" popovertarget="shortcuts" aria-keyshortcuts="?">
        Shortcuts
      </button>
      <div id="shortcuts" class="panel" popover role="dialog" aria-label="Keyboard shortcuts">
        <h2>Keyboard shortcuts</h2>
        <Rows rows={keys} of="kbd" />
        <div class="choice">
          <input type="checkbox" id="single-keys" checked autocomplete="off" />
          <label for="single-keys">Use these keys</label>
        </div>
        <h2 class="of-search">Search for</h2>
        <Rows rows={searches} of="code" />
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
