import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { lastTargets } from '../../data/targets.ts'
import { moveJoined } from '../../data/upkeep/moving.ts'
import { allValid } from '../../domain/field-parsing.ts'
import { isScope } from '../../domain/target.ts'
import { readForm } from '../../http/body.ts'
import {
  type FormContext,
  formHandler,
  pageOfForm,
  type Refused,
  RefusedForm,
  validOf,
} from '../../http/forms.ts'
import { SignInRequired } from '../../http/problem.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { freshForm } from '../../views/parts/form-fields.tsx'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { ProjectsPage } from './page.tsx'
import { joinFields, parseTarget } from './rules.ts'
import { joinProject, listJoined, listLastRead, separateProject } from './store.ts'

/** The message after a form that succeeded, by the `done` of its redirect. */
const notices: ReadonlyMap<string | undefined, string> = new Map([
  ['joined', 'They are one project.'],
  ['separated', 'They are separate: what is announced from now on counts for its own project.'],
])

/** Then deployments are moved in the background. */
const awaitedMs = 2_000

/** The page and the forms of /settings/projects (docs/decisions.md#targets). */
export function projectSettings({ db, site, pages }: Pick<Dependencies, 'db' | 'site' | 'pages'>) {
  return new Elysia({ name: 'settings-projects' })
    .use(owner(pages))
    .get('/settings/projects', (context) => projectsPage(null, context))
    .post(
      '/settings/projects',
      formHandler(joinFields, projectsPage, async ({ visitor: { user } }, typed) => {
        const asked = validOf(
          allValid({ spelling: parseTarget(typed.spelling), target: parseTarget(typed.target) }),
        )
        const joining = await joinProject(db, user.id, asked)
        if (joining.outcome === 'gone') throw new SignInRequired()
        if (joining.outcome === 'refused') throw new RefusedForm(joining.reasons)
        // The upkeep tries again and reports faults.
        const moving = moveJoined(db, user.id).catch(() => {})
        await Promise.race([moving, Bun.sleep(awaitedMs)])
        return seeOther('/settings/projects?done=joined#join')
      }),
    )
    .post('/settings/projects/separate', async ({ request, visitor: { user } }) => {
      const { spelling } = await readForm(request, ['spelling'])
      // Another window may have separated it already, which is as good.
      if (isScope(spelling)) await separateProject(db, user.id, spelling)
      return seeOther('/settings/projects?done=separated#join')
    })

  async function projectsPage(
    refused: Refused | null,
    { visitor: { user }, query }: FormContext,
  ): Promise<Response> {
    const [links, joined, targets] = await Promise.all([
      listLastRead(db, user.id),
      listJoined(db, user.id),
      lastTargets(db, user.id),
    ])
    const notice = refused ? null : (notices.get(query.done) ?? null)
    const props = { site, viewer: user, links, joined, targets, notice, form: refused ?? freshForm }
    return pageOfForm(<ProjectsPage {...props} />, refused)
  }
}
