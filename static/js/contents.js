// Marks the section that is being read in the table of contents of the docs. Without this file it has only links.

/** An unfolded section is being read once its beginning is in the upper part of the window. */
const upperPart = 0.35

const links = new Map(
  [...document.querySelectorAll('.contents a')].map((link) => [
    document.querySelector(link.hash).closest('details'),
    link,
  ]),
)

if (links.size > 0) {
  addEventListener('scroll', mark, { passive: true })
  addEventListener('toggle', mark, { capture: true })
  mark()
}

function mark() {
  const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
  const begun = [...links.keys()].filter(
    (section) => section.open && (end || section.getBoundingClientRect().top < innerHeight * upperPart),
  )
  for (const [section, link] of links) {
    if (section === begun.at(-1)) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}
