import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { OpenGraph } from '../../views/deployment/link-preview.tsx'
import { projectAddress } from '../../views/page/address.ts'
import { Layout, MomentOfList } from '../../views/page/layout.tsx'
import type { PageProps } from '../../views/page/site.ts'
import { PageOwner } from '../../views/parts/avatar.tsx'
import { escaped } from '../../views/parts/markup.ts'
import { readableTarget } from '../../views/parts/readable-address.ts'

export type ProjectProps = PageProps & { user: User; target: string; now: Date; live: ReadonlySet<number> }

type FrameProps = PropsWithChildren<
  ProjectProps & { address: string; title: string; description: string; heading: JSX.Element }
>

/** A page below that of a project. */
export function Frame({ site, viewer, user, target, now, children, ...page }: FrameProps): JSX.Element {
  const { address, title, description, heading } = page
  return (
    <Layout
      {...{ site, viewer, title, description }}
      canonical={address}
      head={<OpenGraph address={site.baseUrl + address} {...{ site, title, description }} />}
    >
      <header class="project-head">
        <PageOwner user={user} />
        <h1>{heading}</h1>
        <p class="hint">
          of{' '}
          <a href={escaped(projectAddress(user.username, target))}>
            <bdi dir="ltr">{escaped(readableTarget(target))}</bdi>
          </a>
        </p>
      </header>
      {children}
      <MomentOfList now={now} />
    </Layout>
  )
}
