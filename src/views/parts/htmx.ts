/** Keeps error pages out of the page, since htmx would swap them in like any other answer. */
export const keepOnError = { 'hx-status:4xx': 'swap:none', 'hx-status:5xx': 'swap:none' }

const showAdvice = 'target:"find .unsent" select:#advice swap:"innerHTML ignoreTitle:true"'

/** A form shows the advice of an error page itself; 422 and 429 are answers of the form. */
export const adviceOnError = {
  'hx-status:42x': 'swap:outerHTML',
  'hx-status:4xx': showAdvice,
  'hx-status:5xx': showAdvice,
}
