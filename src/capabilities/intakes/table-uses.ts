import { desc, sql } from 'drizzle-orm'
import {
  boundedText,
  environmentsRule,
  listOf,
  nullOr,
  plainText,
  textLike,
  textThat,
} from '../../data/table-uses/column-rules.ts'
import { columnsOf } from '../../data/table-uses/export-columns.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import { parseAnnouncement } from '../../domain/announcement/announcement.ts'
import { maxNamed } from '../../domain/restriction.ts'
import { isCallOutcome, isIntakeId, isIntakeKind, isWorkflow } from './rules.ts'
import { intakeCalls, intakes } from './tables.ts'

export const intakesTable: TableUse = {
  table: intakes,
  rules: {
    id: textThat(isIntakeId, 'must be an id'),
    kind: textThat(isIntakeKind, 'must be one of those in the list'),
    secret: textLike(/^[\w-]{43}$/, 'must be 256 bits in Base64'),
    environments: environmentsRule,
    workflows: listOf(maxNamed, textThat(isWorkflow, 'must be file names')),
  },
  section: {
    name: 'intakes',
    place: 5,
    columns: columnsOf(intakes, 'id kind environments workflows transient paused_at created_at'),
    order: intakes.createdAt,
  },
  access: { name: 'intakes', place: 4 },
}

export const intakeCallsTable: TableUse = {
  table: intakeCalls,
  rules: {
    about: boundedText('told'),
    outcome: textThat(isCallOutcome, 'must be an outcome'),
    reason: nullOr(boundedText('told')),
    waiting: nullOr(textThat(isAnnouncement, 'must be an announcement')),
    key: nullOr(plainText('told')),
  },
  section: {
    name: 'intake_calls',
    place: 6,
    columns: columnsOf(intakeCalls, 'intake_id about outcome reason deployment_id waiting key received_at'),
    order: desc(intakeCalls.id),
  },
  forgetting: (actor) => sql`
    with forgotten as (
      update intake_calls set waiting = (waiting::jsonb - 'actor')::text
      where waiting is not null and lower((waiting::jsonb ->> 'actor') collate "C") = ${actor}
    )
    select 0 as paused`,
  deletion: 'in chunks',
  usedAt: intakeCalls.receivedAt,
}

function isAnnouncement(text: string): boolean {
  try {
    return parseAnnouncement(JSON.parse(text), { now: new Date(0) }).outcome === 'valid'
  } catch {
    return false
  }
}
