import { acceptedEvents } from '../../../domain/cdevent.ts'
import { commitPattern, environmentPattern, maxVersionCharacters } from '../../../domain/release.ts'
import { maxUrlCharacters } from '../../../domain/target.ts'
import { category, orNull, reference, text } from './schemas.ts'

/** A member that has a member of this name. */
const holding = (name: string, member: object) => ({
  type: 'object',
  required: [name],
  properties: { [name]: member },
})

const cdevent = {
  type: 'object',
  description: 'A CDEvent of a service. What else it holds is ignored.',
  required: ['context', 'subject'],
  properties: {
    context: {
      type: 'object',
      required: ['id', 'source', 'type'],
      properties: { id: text, source: text, type: { ...text, description: acceptedEvents } },
    },
    subject: {
      type: 'object',
      required: ['id'],
      properties: {
        id: text,
        content: {
          type: 'object',
          properties: {
            environment: holding('id', text),
            artifactId: { ...text, description: 'A package URL' },
          },
        },
      },
    },
    customData: { description: 'An object may hold "message" and "url"' },
  },
}

/** The schemas of what is posted. */
export const requests = {
  Event: cdevent,
  CloudEvent: holding('data', reference('Event')),
  Announcement: {
    type: 'object',
    required: ['message'],
    properties: {
      message: { ...text, description: 'Not blank; may span lines and hold emoji' },
      url: {
        ...orNull({ ...text, maxLength: maxUrlCharacters }),
        description: 'http or https, without user information; empty or null is as omitted',
      },
      category: {
        ...orNull({ ...text, enum: [...category.enum, ''] }),
        description: 'Where it is omitted, empty or null, it is read from the first line of the message',
      },
      environment: {
        ...orNull({ ...text, pattern: `${environmentPattern}|^$` }),
        description: 'Where it went, such as production; upper and lower case are one',
      },
      version: {
        ...orNull({ ...text, maxLength: maxVersionCharacters }),
        description: 'What it is called, such as v2.4.0: one line',
      },
      commit: {
        ...orNull({ ...text, pattern: `${commitPattern}|^$` }),
        description: 'The hash of the commit, or its beginning',
      },
    },
  },
}
