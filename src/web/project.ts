import { Elysia } from 'elysia'
import type { Pages } from '../http/pages.ts'
import type { AnswerProject } from './answer-project.tsx'

/** GET /<username>/<target>, a path. A single segment comes from web/deployment.tsx, which knows ids. */
export function project({ pages, answer }: { pages: Pages; answer: AnswerProject }) {
  return new Elysia({ name: 'project' })
    .use(pages)
    .get('/:username/*', ({ params, query, request, viewer }) => answer({ params, query, request, viewer }))
}
