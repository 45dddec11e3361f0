import { recorded } from '../../views/docs/answers.tsx'
import type { ApiDescription } from '../../web/docs/openapi/description.ts'
import { about, commonRefusals, jsonOf, neededQuery, target } from '../../web/docs/openapi/parts.ts'
import { beforeId, wrongQuestion } from '../../web/docs/openapi/reading.ts'
import {
  commit,
  environment,
  idOfDeployment,
  integer,
  objectOf,
  orNull,
  reference,
  time,
  uri,
  username,
  version,
} from '../../web/docs/openapi/schemas.ts'

const release = {
  version: 'v2.4.0',
  commit: 'a89852ac0b1d',
  lead_time_seconds: 14_400,
  page: 'https://shipfeed.example/ada/github.com/ada/engine/releases/409',
  stops: [
    {
      environment: 'production',
      deployed_at: '2026-11-21T23:26:35Z',
      live: true,
      id: 412,
      page: recorded.body.page,
    },
  ],
}

export const releasesDescription: ApiDescription = {
  operations: {
    'GET /api/releases': {
      ...about('Read', 'listReleases', 'The releases of a project, the one that was announced last first'),
      description:
        'Deployments with the same commit or, if one of them has none, the same version are one release. Its stops are ' +
        'in the order of the environments.',
      parameters: [
        neededQuery('user', 'Whose releases', username),
        neededQuery('target', 'Of which project', target),
        beforeId,
      ],
      responses: {
        200: {
          description: 'A page of releases',
          content: jsonOf('Releases', { releases: [release], older: null }),
        },
        ...commonRefusals(wrongQuestion),
      },
    },
  },
  schemas: {
    Releases: objectOf({
      releases: { type: 'array', items: reference('Release') },
      older: { ...orNull(uri), description: 'The address of the next page' },
    }),
    Release: objectOf({
      version: orNull(version),
      commit: orNull(commit),
      lead_time_seconds: {
        ...orNull(integer),
        description: 'From the first deployment to the first one in production; null until then',
      },
      page: uri,
      stops: { type: 'array', items: reference('StopOfRelease') },
    }),
    StopOfRelease: objectOf({
      environment: { ...orNull(environment), description: 'Null where none was announced' },
      deployed_at: time,
      live: { type: 'boolean', description: 'Whether nothing else was deployed there since' },
      id: idOfDeployment,
      page: uri,
    }),
  },
  byTokenAlone: ['/api/releases'],
}
