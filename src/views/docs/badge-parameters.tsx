import { Html } from '@elysiajs/html'
import { type BadgeStyle, longestLabel } from '../../badge/choice.ts'
import type { Freshness } from '../../domain/freshness.ts'
import { attribute } from '../parts/attribute.ts'

/** Gives the address of an example badge. */
export type BadgePicture = (status: Freshness, style: BadgeStyle) => string

/** What the address of a badge may ask for. */
export function BadgeParameters({ picture }: { picture: BadgePicture }): JSX.Element {
  return (
    <>
      <h3>Query parameters</h3>
      <dl class="facts">
        <dt>
          <code>style=square</code>
        </dt>
        <dd>
          <img src={attribute(picture('Fresh', 'square'))} alt="The square style" height="20" />
        </dd>
        <dt>
          <code>style=dot</code>
        </dt>
        <dd>
          <img src={attribute(picture('Fresh', 'dot'))} alt="The dot style" height="20" />
        </dd>
        <dt>
          <code>show=age</code>
        </dt>
        <dd>
          Shows how long ago the latest deployment was, such as “2 h ago”, in the colour of its state. Where
          there is none it says “never”.
        </dd>
        <dt>
          <code>label=production</code>
        </dt>
        <dd>
          Takes the place of “deployed”: up to {longestLabel} letters, digits, spaces and <code>. _ / -</code>
          . The dot shows it before its word.
        </dd>
        <dt>
          <code>url=github.com/ada/engine</code>
        </dt>
        <dd>
          Counts only deployments whose link is at this host, or at this host and path. Subdomains and deeper
          paths count; case, <code>www.</code> and the port do not matter. When none matches, the badge is
          Inactive.
        </dd>
        <dt>
          <code>env=production</code>
        </dt>
        <dd>Counts only deployments to this environment; also together with the others.</dd>
      </dl>
    </>
  )
}
