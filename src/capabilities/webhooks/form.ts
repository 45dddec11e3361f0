import { type Category, categories } from '../../domain/category.ts'
import { type FacetLists, facets, facetsOfMany } from '../../domain/feed/facets.ts'
import {
  allValid,
  type Field,
  fieldOf,
  invalid,
  type ParsedForm,
  parseTyped,
  valid,
} from '../../domain/field-parsing.ts'
import { onlyInWords, parseFacetList, parseTargets } from '../../domain/restriction.ts'
import { parseWebhookUrl, type WebhookReach } from './address.ts'
import { formatRules, guessFormat } from './format-rules.ts'
import { isWebhookFormat, type WebhookFilter, type WebhookFormat } from './rules.ts'

const ticked = Object.keys(categories) as Category[]

type TypedList = Exclude<keyof FacetLists, 'categories'>

/** A category or the withdrawals are ticked if not empty. */
export const filterFields = [
  'targets' as const,
  ...facetsOfMany.map((facet) => facets[facet].list as TypedList),
  'withdrawals' as const,
  ...ticked,
]

export const webhookFields = ['url', 'format', 'token', ...filterFields] as const

type FilterValues = Readonly<Record<(typeof filterFields)[number], string>>
type WebhookValues = Readonly<Record<(typeof webhookFields)[number], string>>

/** Reads the filter of a form: its lists are separated by commas. */
export function parseFilter(typed: FilterValues): ParsedForm<WebhookFilter> {
  const lists = facetsOfMany.map((facet) => {
    const { list } = facets[facet]
    return [list, parseFacetList(facet, typed[list as TypedList])] as const
  })
  return allValid<WebhookFilter>({
    targets: parseTargets(typed.targets),
    ...(Object.fromEntries(lists) as Record<TypedList, Field<readonly string[]>>),
    categories: valid(ticked.filter((category) => typed[category] !== '')),
    withdrawals: valid(typed.withdrawals !== ''),
  })
}

/** What a webhook sends, in parts: "only to production", "only bug fix". Empty if it sends everything. */
export function filterInWords(filter: WebhookFilter): readonly string[] {
  const chosen = filter.categories.map((category) => categories[category])
  const lists = facetsOfMany.flatMap((facet) =>
    onlyInWords(facets[facet].preposition.list, filter[facets[facet].list]),
  )
  return [...onlyInWords('', filter.targets), ...lists, ...onlyInWords('', chosen)]
}

type ParsedWebhook = { readonly url: string; readonly format: WebhookFormat; readonly token: string | null }

/** Reads the address, the format and the token of a form. If no format is chosen, the address suggests one. */
export function parseWebhook(typed: WebhookValues, reach: WebhookReach): ParsedForm<ParsedWebhook> {
  const url = parseWebhookUrl(typed.url, reach)
  if (url.outcome === 'invalid') return { outcome: 'invalid', reasons: { url: url.reasons } }
  const format = isWebhookFormat(typed.format) ? typed.format : guessFormat(url.value)
  const { path, token } = formatRules[format]
  const isRightPath = path?.pattern.test(new URL(url.value).pathname) ?? true
  return allValid<ParsedWebhook>({
    url: fieldOf(url.value, isRightPath ? [] : [path?.advice ?? '']),
    format: valid(format),
    token:
      token === 'none'
        ? valid(null)
        : parseTyped(typed.token, 'serviceToken', (text) => parseToken(text, token === 'required')),
  })
}

function parseToken(token: string, isRequired: boolean): Field<string | null> {
  if (token === '') return isRequired ? invalid("can't be blank: this service needs a token") : valid(null)
  return /^[\x21-\x7e]+$/.test(token) ? valid(token) : invalid('must be visible ASCII characters')
}

/** The reasons to refuse a stored token of a service, empty if it can be sent. */
export function storedTokenProblems(token: string | null, format: WebhookFormat): readonly string[] {
  const rule = formatRules[format].token
  if (rule === 'none') return token === null ? [] : ['must be missing']
  const read = parseTyped(token ?? '', 'serviceToken', (text) => parseToken(text, rule === 'required'))
  return read.outcome === 'invalid' ? read.reasons : []
}
