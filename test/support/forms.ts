import { elementsOf, textOf } from './markup.ts'
import { sameOrigin } from './people.ts'
import type { Service } from './service.ts'

/** Sends a form in a browser that nobody is signed in with. */
export function sendForm(
  service: Pick<Service, 'fetch'>,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new URLSearchParams(fields)
  return service.fetch(path, { method: 'POST', body, headers: { ...sameOrigin, ...headers } })
}

/** What the named field of a page's form holds, or undefined where the page has no such field. */
export function valueIn(page: string, name: string): string | undefined {
  const field = fieldOf(page, name)
  return field === undefined ? undefined : (field.value ?? '')
}

/** The reasons that are shown next to a field, as assistive technology finds them. */
export function reasonsBeside(page: string, name: string): string {
  const field = fieldOf(page, name)
  const described = (field?.['aria-describedby'] ?? '').split(' ').find((id) => id.endsWith('-reasons'))
  return described === undefined || field?.['aria-invalid'] !== 'true' ? '' : textOf(page, `#${described}`)
}

/** The names of the fields that take the focus. */
export function focusedIn(page: unknown): (string | undefined)[] {
  const focused = elementsOf(page).filter(({ attributes }) => attributes.autofocus !== undefined)
  return focused.map(({ attributes }) => attributes.name)
}

function fieldOf(page: string, name: string) {
  return elementsOf(page).find((element) => element.name === 'input' && element.attributes.name === name)
    ?.attributes
}
