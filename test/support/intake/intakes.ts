import { createHmac } from 'node:crypto'
import type { IntakeKind } from '../../../src/capabilities/intakes/rules.ts'
import { cookieOf, type Person } from '../people.ts'
import type { Service } from '../service.ts'
import type { Delivery } from './deliveries.ts'

/** An intake of somebody, as a forge knows it. */
export type Intake = { readonly at: string; readonly settings: string; readonly secret: string }

/** Makes an intake in the settings, as its owner does, and reads the page that shows its secret once. */
export async function madeIntake(
  person: Person,
  kind: IntakeKind,
  fields: Record<string, string> = {},
): Promise<Intake> {
  const answer = await person.send('/settings/intakes', { kind, ...fields })
  if (answer.status !== 303)
    throw new Error(`The intake was not made: ${answer.status} ${await answer.text()}`)
  const settings = answer.headers.get('location') ?? ''
  const page = await person.get(settings, { Cookie: `${person.cookie}; ${cookieOf(answer)}` })
  const text = await page.text()
  const [, at = ''] = text.match(/(\/api\/in\/\w+\/[\w-]{22})</) ?? []
  const [, secret = ''] = text.match(/value="([\w-]{43})"/) ?? []
  return { at, settings, secret }
}

type Sent = {
  /** What is in the body instead of the payload as JSON. */
  readonly body?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls an intake as its forge does. */
export function deliver(
  service: Pick<Service, 'fetch'>,
  { at, secret }: Intake,
  { kind, event, payload }: Delivery,
  { body = JSON.stringify(payload), type = 'application/json', headers = {} }: Sent = {},
): Promise<Response> {
  // Forgejo and Gitea sign the JSON in a form, and GitHub the form.
  const inForm = kind === 'forgejo' ? new URLSearchParams(body).get('payload') : null
  const signature = signatureOf(inForm ?? body, secret)
  const ofKind: Readonly<Record<IntakeKind, Record<string, string>>> = {
    github: {
      'X-GitHub-Event': event,
      'X-GitHub-Delivery': crypto.randomUUID(),
      'X-Hub-Signature-256': `sha256=${signature}`,
    },
    flux: { 'X-Signature': `sha256=${signature}`, 'Gotk-Component': event },
    gitlab: { 'X-Gitlab-Event': event, 'X-Gitlab-Token': secret },
    forgejo: {
      'X-Forgejo-Event': event,
      'X-Forgejo-Delivery': crypto.randomUUID(),
      'X-Forgejo-Signature': signature,
      'X-Gitea-Event': event,
      'X-Gitea-Signature': signature,
      'X-GitHub-Event': event,
    },
  }
  return service.fetch(at, {
    method: 'POST',
    headers: { 'Content-Type': type, ...ofKind[kind], ...headers },
    body: new TextEncoder().encode(body),
  })
}

export function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}
