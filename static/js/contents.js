// Marks the current section in the contents of the docs. Without this file they are only links.

/** A section is current once its beginning is in the upper part of the window. */
const upperPart = 0.35

const links = new Map(
  [...document.querySelectorAll('.contents a')].map((link) => [document.querySelector(link.hash), link]),
)

if (links.size > 0) {
  addEventListener('scroll', mark, { passive: true })
  mark()
}

function mark() {
  const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
  const begun = [...links.keys()].filter(
    (section) => end || section.getBoundingClientRect().top < innerHeight * upperPart,
  )
  for (const [section, link] of links) {
    if (section === begun.at(-1)) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}
