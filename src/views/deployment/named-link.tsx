import { Html } from '@elysiajs/html'
import { projectOf } from '../../domain/entry/project.ts'
import { referenceOf } from '../../domain/entry/reference.ts'
import { attribute } from '../parts/attribute.ts'
import { readableHost, readablePath } from '../parts/readable-address.ts'

/**
 * The posted link by the name of what it leads to, such as "ada/engine a89852a on github.com"; any other link
 * by its address, with the host as the browser reads it, so that a host in disguise shows its true name.
 */
export function NamedLink({ url }: { url: string }): JSX.Element {
  return (
    <a class="button to-link" href={attribute(url)} rel="nofollow ugc noreferrer">
      <bdi dir="ltr" safe>
        {nameOf(url)}
      </bdi>
    </a>
  )
}

function nameOf(url: string): string {
  const project = projectOf(url)
  if (project === null || project.owner === null) return addressOf(url)
  const repository = `${readablePath(project.owner)}/${readablePath(project.name)}`
  const name = referenceOf(url)
  const [host = ''] = project.scope.split('/')
  return `${repository}${name === null ? '' : ` ${name}`} on ${readableHost(host)}`
}

/** An address without its scheme. */
function addressOf(url: string): string {
  // A link that was accepted by another version, and cannot be read now, must not take its whole page down.
  const parsed = URL.parse(url)
  if (parsed === null) return url
  const { href, protocol, host, hostname, port } = parsed
  const path = href.slice(protocol.length + '//'.length + host.length).replace(/\/$/, '')
  return readableHost(hostname) + (port === '' ? '' : `:${port}`) + readablePath(path)
}
