import { Elysia } from 'elysia'
import { ownTokensFinder } from '../../data/account/tokens.ts'
import { recorder } from '../../data/recording.ts'
import { type Announcement, publicTexts } from '../../domain/announcement/announcement.ts'
import { unauthorized } from '../../http/bearer-token.ts'
import { payloadInForm, readBytes, readJsonValue } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import { empty } from '../../http/responses.ts'
import { recordedAnswer } from '../../web/api/answers.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { type CalledIntake, findCalledIntake, keepCall, letWait } from './calls.ts'
import { readDelivery } from './events.ts'
import { readFluxEvent } from './flux.ts'
import { findNewestState } from './repeated-events.ts'
import {
  announcementOf,
  type ForgeEvent,
  type IntakeKind,
  isIntakeId,
  keyAfter,
  maxCallBytes,
  maxWaiting,
  reasonToLeaveOut,
} from './rules.ts'
import { isSigned } from './signature.ts'

/** The addresses that webhooks of forges and Flux call (docs/decisions.md#intakes). */
export function forgeCalls({ db, baseUrl, ratePerMinute, onAnnounced }: Dependencies) {
  const record = recorder(db, ratePerMinute)
  const findOwnTokens = ownTokensFinder(db)

  return new Elysia({ name: 'intake' }).post(
    '/api/in/:kind/:id',
    async ({ request, params }) => {
      const intake = isIntakeId(params.id) ? await findCalledIntake(db, params.id) : null
      if (intake === null || intake.kind !== params.kind) throw noSuchIntake()
      const { headers } = request
      const contentType = headers.get('content-type') ?? ''
      const bytes = await readBytes(request, maxCallBytes)
      if (!isSigned(intake, headers, bytes)) {
        await keepCall(db, intake, { about: '', outcome: 'refused', reason: 'its signature is wrong' })
        throw unauthorized()
      }
      const inForm = payloadInForm(bytes, contentType)
      const json = inForm === null ? bytes : Buffer.from(inForm)
      const payload = readJsonValue(json, inForm === null ? contentType : 'application/json')
      const { kind } = intake
      const event =
        kind === 'flux'
          ? readFluxEvent(payload)
          : readDelivery(kind, { event: eventNameIn(kind, headers), payload })
      if (event === null) return empty(202)
      if (event !== 'ping') return await received(intake, event)
      await keepCall(db, intake, { about: '', outcome: 'ping' })
      return empty(204)
    },
    { parse: 'none' },
  )

  async function received(intake: CalledIntake, sent: ForgeEvent): Promise<Response> {
    const { about, title, series } = sent
    const reason = intake.pausedAt === null ? reasonToLeaveOut(intake, sent) : 'the intake is paused'
    if (reason !== null) {
      const key = series === null ? null : sent.key
      await keepCall(db, intake, { about, outcome: 'left_out', reason, key })
      return empty(202)
    }
    const key = series === null ? sent.key : keyAfter(sent.key, await findNewestState(db, intake, series))
    if (key === null) return empty(202)
    const event = { ...sent, key }
    const ownTokens = await findOwnTokens(publicTexts({ ...event, message: title }), intake)
    const announcement = announcementOf(event, { now: new Date(), ownTokens })
    // Calls that wait come first, or an older deployment would look like the latest one.
    if (intake.hasWaiting) return await waiting(intake, event, announcement)
    const result = await record({ intakeId: intake.id, announcement, idempotencyKey: key })
    const kept = { about, key: series === null ? null : key }
    switch (result.outcome) {
      case 'unauthorized':
      case 'forbidden':
        throw noSuchIntake()
      case 'rate_limited':
        return await waiting(intake, event, announcement)
      case 'idempotency_key_reused':
        await keepCall(db, intake, { ...kept, outcome: 'known', deploymentId: result.owner.id })
        return empty(202)
      default: {
        onAnnounced?.(result.outcome)
        const outcome = result.outcome === 'created' ? 'announced' : 'known'
        await keepCall(db, intake, { ...kept, outcome, deploymentId: result.recorded.id })
        return recordedAnswer(announcement, result, { baseUrl, ratePerMinute })
      }
    }
  }

  async function waiting(intake: CalledIntake, event: ForgeEvent, announcement: Announcement) {
    const { about, key } = event
    const outcome = await letWait(db, intake, { about, key, announcement })
    if (outcome === 'kept') return empty(202)
    if (outcome === 'gone') throw noSuchIntake()
    const reason = `${maxWaiting} calls are already waiting`
    await keepCall(db, intake, { about, outcome: 'refused', reason })
    throw new Problem('rate_limited', `${reason}. Send this one again later.`, { 'Retry-After': '60' })
  }
}

function noSuchIntake(): Problem {
  return new Problem('not_found', 'There is no such intake. The settings of its owner show its address.')
}

function eventNameIn(kind: IntakeKind, headers: Headers): string {
  if (kind === 'github') return headers.get('x-github-event') ?? ''
  return headers.get('x-forgejo-event') ?? headers.get('x-gitea-event') ?? ''
}
