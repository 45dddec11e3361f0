import { instantForm } from '../../domain/announcement/instant.ts'
import { importLimits } from '../../domain/imported.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import type { ApiDescription } from '../../web/docs/openapi/description.ts'
import { about, commonRefusals, type Operations } from '../../web/docs/openapi/parts.ts'
import { announced, details, integer, objectOf, optional, text } from '../../web/docs/openapi/schemas.ts'

const count = { ...integer, minimum: 0 }

const item = {
  type: 'object',
  required: ['message', 'deployed_at'],
  properties: {
    ...announced,
    deployed_at: {
      ...text,
      pattern: instantForm.source,
      description: 'RFC 3339; before the first announcement of the user, and not in the future',
    },
    key: optional(
      { ...text, maxLength: textBounds.key },
      'Identifies the item, so that a repeated one is known. Required if it has neither a version nor a commit',
    ),
  },
}

const inTheFuture = { deployed_at: ['must not be in the future (it is 2026-03-12T14:03:22Z)'] }

const answer = objectOf({
  added: count,
  known: count,
  refused: { type: 'array', items: objectOf({ index: count, details }) },
})

const operations: Operations = {
  'POST /api/history': {
    ...about('Announce', 'addHistory', 'Add deployments from before the first announcement'),
    description:
      `At most ${importLimits.items} items and ${importLimits.bytes} bytes a call, ${importLimits.ofUser} items of a ` +
      `user, ${importLimits.aSecond} in one second and ${importLimits.aDay} on a UTC day. Repeating the call adds nothing. History is not in the feed of ` +
      'all users, in streams or in feeds for readers.',
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { type: 'array', items: item, maxItems: importLimits.items } },
        'application/x-ndjson': { schema: item },
      },
    },
    responses: {
      200: {
        description: 'How many were added, how many were known already, and which were refused',
        content: {
          'application/json': {
            schema: answer,
            example: { added: 470, known: 8, refused: [{ index: 3, details: inTheFuture }] },
          },
        },
      },
      ...commonRefusals({
        bad_request: 'The body is not valid JSON.',
        unauthorized: null,
        forbidden: null,
        payload_too_large: null,
        unsupported_media_type:
          'The body is neither JSON nor lines of JSON, is compressed, or does not say what it is.',
        validation_error:
          'There are too many items, or they would exceed a limit of the user. The message says how many were added.',
        unavailable: 'The database cannot answer right now. Repeating the call adds nothing twice.',
      }),
    },
  },
  'DELETE /api/history': {
    ...about('Announce', 'removeHistory', 'Remove all history of the user'),
    description: 'What was announced stays.',
    responses: {
      204: { description: 'All of it is gone' },
      ...commonRefusals({
        unauthorized: null,
        forbidden: null,
        unavailable: 'The database cannot answer right now, or the rest is being removed. Repeat the call.',
      }),
    },
  },
}

export const importDescription: ApiDescription = { operations }
