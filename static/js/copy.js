// Copy buttons. Without this file they stay hidden, and a click on a snippet selects all of it.

import { afterSwap } from './after-swap.js'

const shownMs = 2000

const said = document.createElement('p')
said.className = 'unseen'
said.setAttribute('role', 'status')
document.body.append(said)

show()
afterSwap(show)
document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy]')
  if (button !== null) copyFor(button)
})

function show() {
  for (const button of document.querySelectorAll('[data-copy][hidden]')) button.hidden = false
}

async function copyFor(button) {
  const source = document.getElementById(button.dataset.copy)
  const isCopied = await copy(source)
  showOutcome(button, isCopied ? 'Copied' : 'Press Ctrl+C')
  // For the checklist of the settings, whose last step is to copy.
  if (isCopied) button.dispatchEvent(new Event('copied', { bubbles: true }))
}

/** Browsers allow the clipboard API only over https; elsewhere the text is selected and then copied. */
async function copy(source) {
  const text = 'value' in source ? source.value : source.textContent
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if ('select' in source) source.select()
    else getSelection().selectAllChildren(source)
    return document.execCommand('copy')
  }
}

/** Restores the label after a moment; a second click restarts the timer. */
function showOutcome(button, outcome) {
  button.label ??= [...button.childNodes]
  clearTimeout(button.timer)
  button.replaceChildren(outcome)
  said.textContent = outcome
  button.timer = setTimeout(() => {
    button.replaceChildren(...button.label)
    said.textContent = ''
  }, shownMs)
}
