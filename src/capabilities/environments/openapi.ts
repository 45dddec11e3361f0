import { maxAhead } from '../../domain/environment/board.ts'
import { recorded } from '../../views/docs/answers.tsx'
import type { ApiDescription } from '../../web/docs/openapi/description.ts'
import { about, commonRefusals, jsonOf, neededQuery, query, target } from '../../web/docs/openapi/parts.ts'
import { etag, ifNoneMatch, wrongQuestion } from '../../web/docs/openapi/reading.ts'
import {
  commit,
  environment,
  environment_url,
  idOfDeployment,
  objectOf,
  orNull,
  reference,
  text,
  time,
  uri,
  username,
  version,
} from '../../web/docs/openapi/schemas.ts'

const live = {
  target: 'github.com/ada/engine',
  environment: 'production',
  version: 'v2.4.0',
  commit: 'a89852ac0b1d',
  url: 'https://github.com/ada/engine/releases/tag/v2.4.0',
  environment_url: 'https://engine.example.com/',
  deployed_at: '2026-11-21T23:26:35Z',
  id: 412,
  page: recorded.body.page,
}

export const environmentsDescription: ApiDescription = {
  operations: {
    'GET /api/current': {
      ...about(
        'Read',
        'getCurrent',
        'The deployments that are live: the newest of each target and environment of a user',
      ),
      description:
        'The newest first. Deployments without a project or an environment are left out. A client that sends its ' +
        'ETag gets a 304 until something changes.',
      parameters: [
        neededQuery('user', 'Whose deployments', username),
        query('target', 'Only this host, or host and path', target),
        query('env', 'Only this environment', environment),
        ifNoneMatch,
      ],
      responses: {
        200: { description: 'What is live', headers: etag, content: jsonOf('Current', { current: [live] }) },
        304: { description: 'Nothing has changed', headers: etag },
        ...commonRefusals(wrongQuestion),
      },
    },
    'GET /api/compare': {
      ...about('Read', 'compareReleases', 'The deployments that one environment has and another lacks'),
      description:
        `What came to the environment of "from" up to it, and after the release of "to": at most ${maxAhead}, the ` +
        'newest first, without what was taken back. Both are what is live in an environment, or a deployment to any. ' +
        'A text of digits is an id.',
      parameters: [
        neededQuery('user', 'Whose deployments', username),
        neededQuery('project', 'The host and path of the project', target),
        neededQuery('from', 'An environment, or the id of a deployment', environment),
        neededQuery('to', 'The same for what lacks them', environment),
        ifNoneMatch,
      ],
      responses: {
        200: {
          description: 'The difference',
          headers: etag,
          content: jsonOf('Comparison', {
            from: recorded.body,
            to: { ...recorded.body, id: 398, version: 'v2.3.0', page: 'https://shipfeed.example/ada/398' },
            deployments: [recorded.body],
            more: false,
            compare: 'https://github.com/ada/engine/compare/v2.3.0...v2.4.0',
          }),
        },
        304: { description: 'Nothing has changed', headers: etag },
        ...commonRefusals({
          ...wrongQuestion,
          not_found: 'There is no such user, or nothing was deployed to an environment.',
        }),
      },
    },
  },
  schemas: {
    Current: objectOf({ current: { type: 'array', items: reference('CurrentDeployment') } }),
    Comparison: objectOf({
      from: reference('Deployment'),
      to: reference('Deployment'),
      deployments: { type: 'array', items: reference('Deployment'), maxItems: maxAhead },
      more: { type: 'boolean', description: 'Whether there are older ones' },
      compare: { ...orNull(uri), description: 'The page on the forge that shows the difference' },
    }),
    CurrentDeployment: objectOf({
      target: text,
      environment,
      version: orNull(version),
      commit: orNull(commit),
      url: orNull(uri),
      environment_url: { ...orNull(environment_url), description: 'Where it runs' },
      deployed_at: time,
      id: idOfDeployment,
      page: uri,
    }),
  },
  byTokenAlone: ['/api/current', '/api/compare'],
}
