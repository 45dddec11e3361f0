// "/" moves the focus to the search field. Without this file it is an ordinary field.

const field = document.querySelector('.search input[type=search]')
const found = document.querySelector('#found')
const noun = document.querySelector('#found-noun')

if (field !== null) {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    event.preventDefault()
    field.select()
  })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) field.value = ''
  })
}

// A complete search shows the number of results, so it must count arrivals and withdrawals.
if (found !== null) {
  new MutationObserver(() => {
    const count = document.querySelectorAll('#deployments .entry:not(.gap)').length
    found.textContent = count
    noun.textContent = count === 1 ? noun.dataset.one : noun.dataset.many
  }).observe(document.querySelector('#deployments'), { childList: true, subtree: true })
}
