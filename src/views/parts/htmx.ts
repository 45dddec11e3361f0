/** An error's page is not put into a list: htmx would swap it in like any other answer. */
export const keepOnError = { 'hx-status:4xx': 'swap:none', 'hx-status:5xx': 'swap:none' }
