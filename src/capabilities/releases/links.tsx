import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { headlineOf } from '../../domain/message/headline.ts'
import { type Named, shortCommit } from '../../domain/release/release.ts'
import { Line, VersionLabel } from '../../views/deployment/labels.tsx'
import { projectAddress, withQuery } from '../../views/page/address.ts'
import type { PageSlots } from '../../views/page/slots.ts'
import { escaped } from '../../views/parts/markup.ts'

/** The releases of a project. A host may have a project that is called "releases", but none below "-". */
export function releasesAddress(username: string, target: string, before: number | null = null): string {
  const below = target.includes('/') ? 'releases' : '-/releases'
  return withQuery(`${projectAddress(username, target)}/${below}`, { before })
}

/** The release that has a deployment. */
export function releaseAddress(username: string, target: string, id: number): string {
  return `${releasesAddress(username, target)}/${id}`
}

export const releaseLinks: PageSlots = {
  besideProject: (username, target, deployments) =>
    deployments.some(isNamed) ? (
      <>
        {' '}
        · <a href={escaped(releasesAddress(username, target))}>Releases</a>
      </>
    ) : (
      ''
    ),
  besideDeployment: (deployment, target) =>
    target !== null && isNamed(deployment) ? (
      <a class="button" href={escaped(releaseAddress(deployment.poster.username, target, deployment.id))}>
        Release <Name of={deployment} />
      </a>
    ) : (
      ''
    ),
}

/** Whether a deployment is one of a release. */
export function isNamed({ version, commit }: Named): boolean {
  return version !== undefined || commit !== undefined
}

/** The version, else the commit, else the headline. */
export function Name({ of }: { of: Named & { message?: string } }): JSX.Element {
  const { version, commit, message = '' } = of
  if (version !== undefined) return <VersionLabel version={version} />
  if (commit !== undefined) return <code>{escaped(shortCommit(commit) ?? '')}</code>
  return <HeadlineOf of={{ message }} />
}

export function HeadlineOf({ of }: { of: Pick<Deployment, 'message'> }): JSX.Element {
  return <bdi>{Line({ line: headlineOf(of.message).subject })}</bdi>
}
