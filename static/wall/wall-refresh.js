// Updates a wallboard from its own page: the numbers, the projects, and a list that fell behind.

/**
 * The bounds of the delay between an arrival and the new numbers, in ms. It is random, so that wallboards do not ask
 * all at once. It is at least the time for which the server caches the numbers: otherwise the last arrival would be
 * missing.
 */
export const soonMs = [2_500, 5_500]
/** The delay without an arrival: an hour may have begun, a deployment may be withdrawn, or the server may be newer. */
export const everyMs = 60_000

/**
 * Returns whether the page could be read; a new release of the server reloads it. `seen` returns the last event
 * that the list holds: more may arrive while the page is read.
 */
export async function refresh(seen) {
  const page = await read()
  if (page === null) return false
  if (addressesOf(page) !== addressesOf(document)) location.reload()
  document.querySelector('#wall-side').replaceWith(page.querySelector('#wall-side'))
  const fresh = page.querySelector('#latest')
  // A wallboard of environments has no list.
  if (fresh === null) return true
  const isBehind = Number(page.querySelector('#wall').dataset.seen) < seen()
  if (!isBehind && idsOf(fresh) !== idsOf(document)) {
    document.querySelector('#latest').replaceChildren(...fresh.children)
  }
  return true
}

async function read() {
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(20_000) })
    if (!answer.ok) return null
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  } catch {
    return null
  }
}

/** The addresses of style and script, which contain hashes of their content. */
function addressesOf(page) {
  return [...page.querySelectorAll('link[rel=stylesheet], script')]
    .map((element) => element.getAttribute('href') ?? element.getAttribute('src'))
    .join(' ')
}

function idsOf(page) {
  return [...page.querySelectorAll('.entry')].map(({ id }) => id).join(' ')
}
