// Shows waiting deployments where a background tab can: in its title and its icon.

const title = document.title
const icon = document.querySelector('link[rel=icon]')
const icons = { none: icon.href, waiting: new URL('favicon-waiting.svg', import.meta.url).href }

/** Takes the count in words, such as "3" or "50+"; '' says that nothing waits. */
export function showInTab(count) {
  document.title = count === '' ? title : `(${count}) ${title}`
  icon.href = count === '' ? icons.none : icons.waiting
}
