import { Html } from '@elysiajs/html'
import { share } from '../database/share.ts'
import type { User } from '../domain/account/user.ts'
import type { Deployment } from '../domain/deployment.ts'
import { isOlderPart } from '../http/query.ts'
import { fragment, page, preparedPage } from '../http/respond.ts'
import type { Place } from '../views/deployment/entry.tsx'
import { DeploymentList } from '../views/feed/list.tsx'
import { underBasePath } from '../views/page/base-path.ts'

type List = {
  readonly deployments: readonly Deployment[]
  readonly now: Date
  readonly older: number | null
  /** Of a search: its words, and how far back it has looked. */
  readonly words?: readonly string[]
  readonly reached?: Date | null
}

type Options<Question, Props> = {
  readonly baseUrl: string
  /** Reads what a page shows: its newest part, or the part before an id. */
  readonly read: (question: Question, before: number | null) => Promise<Props>
  readonly draw: (props: Props, viewer: User | null) => JSX.Element
  /** The address of the part before an id. */
  readonly href: (props: Props, before: number) => string
  /** How its list is drawn, as `draw` draws it. */
  readonly style?: (props: Props) => { readonly place: Place; readonly isOnDay: boolean }
}

type ListRequest<Question> = {
  readonly question: Question
  readonly before: number | null
  readonly viewer: User | null
  readonly request: Request
}

/**
 * Makes the function that answers a page with a list. The newest part is read once for everybody who asks at
 * the same moment, and drawn once for the anonymous, who are nearly all. An older part for htmx is the list
 * alone.
 */
export function listPage<Question, Props extends List>({
  baseUrl,
  read,
  draw,
  href,
  style,
}: Options<Question, Props>) {
  const readNewest = share(async (question: Question) => {
    const props = await read(question, null)
    return { props, anonymous: preparedPage(draw(props, null)) }
  })

  return async ({ question, before, viewer, request }: ListRequest<Question>): Promise<Response> => {
    const isPrivate = viewer !== null
    if (before === null) {
      const { props, anonymous } = await readNewest(question)
      return viewer === null ? anonymous(request) : page(draw(props, viewer), { isPrivate, request })
    }
    const props = await read(question, before)
    if (!isOlderPart(request)) return page(draw(props, viewer), { isPrivate, request })
    const { deployments, now, older, words, reached } = props
    const list = {
      ...{ deployments, now, older, words, reached },
      href: (before: number) => href(props, before),
      ...style?.(props),
    }
    return fragment(underBasePath(baseUrl, <DeploymentList {...list} />), { isPrivate, request })
  }
}
