import { sql } from 'drizzle-orm'
import {
  type ColumnRule,
  facetListRules,
  foreignIdRule,
  nullOr,
  plainText,
  targetsRule,
  textThat,
} from '../../data/table-uses/column-rules.ts'
import { columnsOf } from '../../data/table-uses/export-columns.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import { facetLists } from '../../domain/feed/facets.ts'
import { isTooLong } from '../../domain/text-bounds.ts'
import { isRequestable } from './address.ts'
import { storedTokenProblems } from './form.ts'
import { isSigningSecret, isWebhookFormat } from './rules.ts'
import { deliveries, webhooks } from './tables.ts'

const signingSecretRule = textThat(isSigningSecret, 'must be whsec_ with 32 bytes in Base64')

/** By the format of the webhook. */
const secretRule: ColumnRule = (value, { format }) => {
  if (format === 'standard') return signingSecretRule(value, {})
  // The rule for the format refuses any other.
  if (!isWebhookFormat(format)) return []
  const isText = value === null || typeof value === 'string'
  return isText ? storedTokenProblems(value, format) : ['must be a text']
}

export const webhooksTable: TableUse = {
  table: webhooks,
  rules: {
    url: textThat(isRequestable, 'must be an http or https address'),
    format: textThat(isWebhookFormat, 'must be a format'),
    secret: secretRule,
    old_secret: nullOr(signingSecretRule),
    targets: targetsRule,
    ...facetListRules,
    claim: nullOr(plainText('told')),
    paused_because: nullOr(plainText('told')),
  },
  section: {
    name: 'webhooks',
    place: 4,
    columns: {
      id: webhooks.id,
      // An address may be a secret, as those of chats are.
      host: sql`split_part(${webhooks.url}, '/', 3)`,
      ...columnsOf(webhooks, `format targets ${facetLists.join(' ')} withdrawals paused_at created_at`),
    },
    order: webhooks.id,
  },
  deletion: 'at once',
  access: { name: 'webhooks', place: 5 },
  pausing: (ofThese, because) => sql`
    update webhooks set paused_at = now(), claim = null, paused_because = ${because}
    where ${ofThese} and paused_at is null`,
  // Without its list, a webhook that sent only what this actor deployed would send everything.
  forgetting: (actor) => sql`
    with forgotten as (
      update webhooks set actors = array_remove(actors, ${actor}), claim = null,
        paused_at = case when cardinality(actors) = 1 then coalesce(paused_at, now()) else paused_at end,
        paused_because = case when cardinality(actors) = 1
          then coalesce(paused_because, 'the operator forgot its only actor: choose others, or none') else paused_because end
      where ${actor} = any(actors)
      returning cardinality(actors) = 0 as is_paused
    )
    select count(*) filter (where is_paused)::int as paused from forgotten`,
}

export const deliveriesTable: TableUse = {
  table: deliveries,
  rules: {
    message_id: foreignIdRule,
    body: textThat(
      (text) => !isTooLong(text, 'delivery') && isJson(text),
      'must be JSON of the usual length',
    ),
    error: nullOr(plainText('told')),
  },
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
