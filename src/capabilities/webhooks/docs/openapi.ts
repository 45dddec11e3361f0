import type { ApiDescription } from '../../../web/docs/openapi/description.ts'
import { about, inHeader } from '../../../web/docs/openapi/parts.ts'
import {
  idOfDeployment,
  integer,
  madeUpDeployment,
  objectOf,
  reference,
  text,
  time,
  username,
} from '../../../web/docs/openapi/schemas.ts'
import { oldSecretHours } from '../rules.ts'
import { tryTimes } from './receiving.ts'

const signature = `By Standard Webhooks: "v1," and the HMAC-SHA256 of id, timestamp and body. For ${oldSecretHours} hours after a roll of the secret, one by each secret.`

const headers = [
  inHeader('webhook-id', 'The same at each try of an event, and never that of another event', text),
  inHeader('webhook-timestamp', 'When it was sent, in seconds since 1970', integer),
  inHeader('webhook-signature', signature, text),
  inHeader('Shipfeed-Hop', 'How many webhooks the announcement has passed through, this one included', {
    ...integer,
    minimum: 1,
  }),
].map((header) => ({ ...header, required: true }))

/** What the receiver of a webhook in the format of Standard Webhooks is sent, by the type of the event. */
const sentMessages = {
  'deployment.announced': sent('receiveAnnouncement', 'The owner of the webhook announced a deployment', {
    oneOf: [
      message('deployment.announced', { data: reference('Deployment') }),
      message('deployment.announced', { data: madeUpDeployment, test: { const: true } }),
    ],
  }),
  'deployment.withdrawn': sent(
    'receiveWithdrawal',
    'The owner of the webhook withdrew a deployment',
    message('deployment.withdrawn', { data: objectOf({ id: idOfDeployment, username }) }),
  ),
}

function message(type: string, members: object) {
  const description = 'When it was announced; of a withdrawal, when the message was made'
  return objectOf({ type: { const: type }, timestamp: { ...time, description }, ...members })
}

function sent(operationId: string, summary: string, schema: object) {
  return {
    post: {
      ...about('Webhooks', operationId, summary),
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Received. The body of the answer is not read.' },
        410: { description: 'No longer wanted: the webhook is paused.' },
        default: {
          description: `A failure, redirects included. ${tryTimes} A longer Retry-After is obeyed.`,
        },
      },
    },
  }
}

export const webhooksDescription: ApiDescription = {
  tags: [{ name: 'Webhooks', description: 'What receivers of webhooks are sent' }],
  webhooks: sentMessages,
}
