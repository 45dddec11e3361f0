import { Html } from '@elysiajs/html'
import type { SearchOnPages } from '../../views/feed/search.ts'
import { escaped } from '../../views/parts/markup.ts'
import { SearchForm } from './form.tsx'

/** How pages of the core offer the search. */
export const searchOnPages: SearchOnPages = {
  Form: SearchForm,
  Again: ({ text }) => (
    <form class="stack" action="/" method="get" aria-label="Search">
      <input
        type="search"
        name="q"
        value={escaped(text)}
        aria-label="Search deployments"
        aria-describedby="advice"
        autofocus
      />
      <button type="submit">Search</button>
    </form>
  ),
  examples: [
    ['cache', 'words that begin like this'],
    ['"hot cache"', 'this phrase'],
    ['-draft', 'without this word'],
    ['@ada', 'of this user'],
    ['by:grace', 'started by this person'],
    ['github.com/ada', 'to this host or project'],
    ['project:engine', 'to the project of this name'],
    ['env:production', 'to this environment'],
    ['category:bug_fix', 'of this category'],
  ],
  advice: ' Search at /?q=, with @user for the deployments of one user.',
}
