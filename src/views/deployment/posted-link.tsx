import { Html } from '@elysiajs/html'
import { attribute } from '../parts/attribute.ts'
import { readableHost, readablePath } from '../parts/readable-address.ts'

/**
 * The posted link without its scheme, with the host as the browser reads it, so that a host in disguise shows
 * its true name.
 */
export function PostedLink({ url }: { url: string }): JSX.Element {
  const { host, path } = partsOf(url)
  return (
    <a class="posted-link" href={attribute(url)} rel="nofollow ugc noreferrer">
      <bdi dir="ltr">
        <span class="host" safe>
          {host}
        </span>
        <span safe>{path}</span>
      </bdi>
    </a>
  )
}

function partsOf(url: string): { host: string; path: string } {
  // A link that was accepted by another version, and cannot be read now, must not take its whole page down.
  const parsed = URL.parse(url)
  if (parsed === null) return { host: url, path: '' }
  const { href, protocol, host, hostname, port } = parsed
  const path = href.slice(protocol.length + '//'.length + host.length).replace(/\/$/, '')
  return { host: readableHost(hostname) + (port === '' ? '' : `:${port}`), path: readablePath(path) }
}
