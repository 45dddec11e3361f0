import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { writtenTarget } from '../../domain/restriction.ts'
import { projectAddress } from '../../views/page/address.ts'
import { Layout } from '../../views/page/layout.tsx'
import type { Site } from '../../views/page/site.ts'
import { Form, Notice } from '../../views/parts/form.tsx'
import { type FormState, TextField } from '../../views/parts/form-fields.tsx'
import { escaped } from '../../views/parts/markup.ts'
import { Panel, Row } from '../../views/parts/panel.tsx'
import { readableTarget } from '../../views/parts/readable-address.ts'
import { lastRead, maxJoined, reasonOfTarget } from './rules.ts'
import type { ReadLink, StoredJoined } from './store.ts'

type Props = {
  site: Site
  viewer: User
  links: readonly ReadLink[]
  joined: readonly StoredJoined[]
  /** The last targets of the viewer, which are offered. */
  targets: readonly string[]
  notice: string | null
  form: FormState
}

/** How links are read as projects, and which projects are one. */
export function ProjectsPage({ site, viewer, links, joined, targets, notice, form }: Props): JSX.Element {
  return (
    <Layout site={site} viewer={viewer} title="Projects" current="settings">
      <h1>Projects</h1>
      <p class="hint">
        An announcement names its project, or else its link does. If one project has two spellings, join them.{' '}
        <a href="/settings">All settings</a>
      </p>
      <Panel id="links" title="How your last links were read" hint={`The last ${lastRead} deployments.`}>
        {links.length === 0 ? (
          <p class="hint">None yet.</p>
        ) : (
          <ol class="refusals">
            {links.map((link) => (
              <LinkItem viewer={viewer} link={link} />
            ))}
          </ol>
        )}
      </Panel>
      <Panel
        id="join"
        title="These are one project"
        hint="Old and new deployments of the first count for the second, and its pages redirect there."
      >
        <Notice text={notice} />
        <datalist id="own-targets">
          {targets.map((target) => (
            <option value={escaped(writtenTarget(target))} />
          ))}
        </datalist>
        <Form action="/settings/projects" button="Join them" look="primary">
          <div class="columns">
            <TextField
              form={form}
              name="spelling"
              label="This spelling"
              hint="Such as github.com/ada/motor"
              list="own-targets"
            />
            <TextField
              form={form}
              name="target"
              label="Belongs to"
              hint="Such as github.com/ada/engine, or -/engine for a project that announcements name"
              list="own-targets"
            />
          </div>
        </Form>
      </Panel>
      <Panel
        id="joined"
        title="Joined projects"
        hint={`Up to ${maxJoined}. If you separate one, what is announced from then on counts for it again; what was moved stays where it is.`}
      >
        {joined.length === 0 ? (
          <p class="hint">None yet.</p>
        ) : (
          <ul class="refusals">
            {joined.map((one) => (
              <JoinedItem viewer={viewer} joined={one} />
            ))}
          </ul>
        )}
      </Panel>
    </Layout>
  )
}

function LinkItem({ viewer, link }: Pick<Props, 'viewer'> & { link: ReadLink }): JSX.Element {
  const { id, url, project, target } = link
  return (
    <Row aside={reasonOfTarget({ url, project: project ?? undefined, target })}>
      <a href={`/${viewer.username}/${id}`}>
        <bdi safe>{shortened(project ?? url ?? 'a message alone')}</bdi>
      </a>{' '}
      → {target === null ? 'no project' : <ProjectLink viewer={viewer} target={target} />}
    </Row>
  )
}

function JoinedItem({ viewer, joined }: Pick<Props, 'viewer'> & { joined: StoredJoined }): JSX.Element {
  const { spelling, target, movedAt } = joined
  return (
    <Row
      aside={
        <form method="post" action="/settings/projects/separate">
          <input type="hidden" name="spelling" value={escaped(spelling)} />
          <button type="submit" aria-label={escaped(`Separate ${readableTarget(spelling)}`)}>
            Separate
          </button>
        </form>
      }
    >
      <bdi safe>{readableTarget(spelling)}</bdi> → <ProjectLink viewer={viewer} target={target} />
      {movedAt === null && <span class="hint"> · deployments are being moved</span>}
    </Row>
  )
}

function ProjectLink({ viewer, target }: Pick<Props, 'viewer'> & { target: string }): JSX.Element {
  return (
    <a href={escaped(projectAddress(viewer.username, target))}>
      <bdi safe>{readableTarget(target)}</bdi>
    </a>
  )
}

const maxShown = 100

/** A link as people write it, up to a length. */
function shortened(text: string): string {
  const written = text.replace(/^https?:\/\//i, '')
  return written.length > maxShown ? `${written.slice(0, maxShown)}…` : written
}
