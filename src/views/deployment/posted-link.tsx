import { Html } from '@elysiajs/html'
import { prepared } from '../parts/prepared.ts'
import { readableHost, readablePath } from '../parts/readable-address.ts'

const longestHost = 32
const longestPath = 56
const keptAtEnd = 16

/**
 * The posted link without its scheme, with the host as the browser reads it, so that a host in disguise shows
 * its true name. Unless `whole`, it is one line, and a long path loses its middle.
 */
export function PostedLink({ url, whole = false }: { url: string; whole?: boolean }): JSX.Element {
  const { host, path } = partsOf(url)
  return link({
    look: whole ? 'posted-link whole' : 'posted-link',
    url,
    host: whole ? host : endOf(host),
    path: whole ? path : shortened(path),
  })
}

const link = prepared<'look' | 'url' | 'host' | 'path'>(({ look, url, host, path }) => (
  <a class={look} href={url} rel="nofollow ugc noreferrer">
    <bdi dir="ltr">
      <span class="host" safe>
        {host}
      </span>
      <span safe>{path}</span>
    </bdi>
  </a>
))

function partsOf(url: string): { host: string; path: string } {
  // A link that was accepted by another version, and cannot be read now, must not take its whole page down.
  const parsed = URL.parse(url)
  if (parsed === null) return { host: url, path: '' }
  const { href, protocol, host, hostname, port } = parsed
  const path = href.slice(protocol.length + '//'.length + host.length).replace(/\/$/, '')
  return { host: readableHost(hostname) + (port === '' ? '' : `:${port}`), path: readablePath(path) }
}

/** The end of a host says whose it is, so a long one loses names at its beginning. */
function endOf(host: string): string {
  if (host.length <= longestHost) return host
  const end = host.slice(-longestHost)
  const names = end.slice(end.indexOf('.') + 1)
  return `…${names.includes('.') ? names : end}`
}

/** Cuts a commit to the seven digits that people know it by, and the path to what fits a line. */
function shortened(path: string): string {
  const short = path.replace(/\/([0-9a-f]{7})[0-9a-f]{33}(?![0-9a-f])/g, '/$1')
  if (short.length <= longestPath) return short
  return `${short.slice(0, longestPath - keptAtEnd - 1)}…${short.slice(-keptAtEnd)}`
}
