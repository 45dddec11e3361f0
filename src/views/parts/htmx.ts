/** An error's page is put into no part of a page: htmx would swap it in like any other answer. */
export const keepOnError = { 'hx-status:4xx': 'swap:none', 'hx-status:5xx': 'swap:none' }

const showAdvice = 'target:"find .unsent" select:#advice swap:"innerHTML ignoreTitle:true"'

/** A form shows what an error's page advises; 422 and 429 are answers of the form itself. */
export const adviceOnError = {
  'hx-status:42x': 'swap:outerHTML',
  'hx-status:4xx': showAdvice,
  'hx-status:5xx': showAdvice,
}
