import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { environmentKey } from '../../domain/release.ts'
import { profileAddress } from '../page/address.ts'
import { prepared } from '../parts/prepared.ts'

/** Digits of a commit that people know it by, and that are enough to look it up. */
const short = 7
const enough = 12

/** The name of a commit in a list; null where there is none. */
export function shortCommit(commit: string | undefined): string | null {
  return commit === undefined ? null : commit.slice(0, short)
}

/** Where it went and in which version, beside the project of an entry; nothing where neither was given. */
export function Release({ deployment }: { deployment: Deployment }): JSX.Element {
  const { environment, version, poster } = deployment
  if (environment === undefined && version === undefined) return ''
  return `${environmentOf(poster.username, environment)}${version === undefined ? '' : versionPart({ version })}`
}

/** The same on the page of a deployment, with the commit. */
export function WholeRelease({ deployment }: { deployment: Deployment }): JSX.Element {
  const { commit } = deployment
  const release = Release({ deployment })
  if (release === '' && commit === undefined) return ''
  return (
    <span class="release">
      {release}
      {commit !== undefined && <code safe>{commit.slice(0, enough)}</code>}
    </span>
  )
}

/** An environment leads to what this user deployed to it. */
function environmentOf(username: string, environment: string | undefined): JSX.Element {
  if (environment === undefined) return ''
  const part = { target: null, category: null, environment: environmentKey(environment) }
  return environmentPart({ address: profileAddress(username, part), environment })
}

const environmentPart = prepared<'address' | 'environment'>(({ address, environment }) => (
  <a class="environment" href={address} safe>
    {environment}
  </a>
))

const versionPart = prepared<'version'>(({ version }) => (
  <bdi class="version" safe>
    {version}
  </bdi>
))
