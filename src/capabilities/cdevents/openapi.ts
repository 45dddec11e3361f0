import type { ApiDescription } from '../../web/docs/openapi/description.ts'
import { inHeader } from '../../web/docs/openapi/parts.ts'
import { filled, holding, reference, text } from '../../web/docs/openapi/schemas.ts'
import { acceptedEvents } from './rules.ts'

const deployed = {
  type: 'object',
  properties: {
    environment: holding({ id: filled }),
    artifactId: { ...text, description: 'A package URL' },
  },
}

const cdevent = {
  description: 'A CDEvent of a service. Other members are ignored; other events are answered with 202.',
  ...holding(
    {
      context: holding({ id: filled, source: filled, type: { ...text, description: acceptedEvents } }),
      subject: holding({ id: filled }, { content: deployed }),
    },
    {
      customData: {
        description:
          'An object may hold "message", "url", "commit", "project", "actor" and "environment_url"',
      },
    },
  ),
}

/** How an event is announced, or checked. */
const call = {
  parameters: [
    {
      ...inHeader(
        'ce-specversion',
        'Says that the JSON is a CDEvent in the binary mode of CloudEvents',
        text,
      ),
      example: '1.0',
    },
  ],
  content: {
    'application/json': { schema: reference('Event') },
    'application/cloudevents+json': { schema: reference('CloudEvent') },
  },
  responses: { 202: { description: 'A valid event of another kind; nothing is announced' } },
}

export const cdeventsDescription: ApiDescription = {
  additions: { 'POST /api': call, 'POST /api/check': call },
  schemas: { Event: cdevent, CloudEvent: holding({ data: reference('Event') }) },
}
