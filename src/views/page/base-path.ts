import { basePathOf } from '../../domain/base-path.ts'

/** Every attribute of ours that holds an address, up to its value: texts of users have no quotes unescaped. */
const address = / (?:href|src|action|hx-get|hx-post|hx-sse:connect|data-live)="(?=\/)/g

/** Puts the path of the public address before every address of ours in markup. */
export function underBasePath(baseUrl: string, markup: JSX.Element): string {
  const path = basePathOf(baseUrl)
  return path === '' ? String(markup) : String(markup).replace(address, `$&${path}`)
}
