// Tells whether the list is being read, because nothing in it may move then.

/** For this long after a pointer moved over the list, nothing moves under it. */
const pointerRestMs = 5_000

/**
 * Returns a function that says whether the list is being read: the page is in the background or scrolled below the
 * top of the list, a pointer moves over the list, or the keyboard focus is in it. Calls back when one of these ends.
 */
export function watchReader(list, onRest, signal) {
  const isPointedAt = watchPointer(list, onRest)
  document.addEventListener('visibilitychange', onRest, { signal })
  addEventListener('scroll', onRest, { passive: true, signal })
  list.addEventListener('focusout', ({ relatedTarget }) => list.contains(relatedTarget) || setTimeout(onRest))
  return () =>
    document.hidden ||
    scrollY > list.offsetTop ||
    isPointedAt() ||
    list.querySelector(':focus-visible') !== null
}

/** Returns a function that says whether a pointer still moves. */
function watchPointer(list, onRest) {
  let last = ''
  let until = 0
  let timer
  const rest = () => {
    clearTimeout(timer)
    until = 0
    onRest()
  }
  list.addEventListener('pointermove', ({ clientX, clientY }) => {
    // Browsers also report a move when the page moves under a resting pointer.
    const here = `${clientX} ${clientY}`
    if (here === last) return
    last = here
    until = Date.now() + pointerRestMs
    clearTimeout(timer)
    timer = setTimeout(rest, pointerRestMs)
  })
  list.addEventListener('pointerleave', () => until > 0 && rest())
  return () => Date.now() < until
}
