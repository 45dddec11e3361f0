import { share } from '../../database/batch.ts'
import type { User } from '../../domain/account/user.ts'
import { isOlderPart } from '../../http/query-parameters.ts'
import { fragment, page, pageResponder } from '../../http/responses.ts'
import { underBasePath } from '../../views/page/address.ts'

type Options<Question, Props> = {
  readonly baseUrl: string
  /** Reads the newest page of a list, or the page before an id. */
  readonly read: (question: Question, before: number | null) => Promise<Props>
  readonly drawPage: (props: Props, viewer: User | null) => JSX.Element
  /** Draws the list alone, as it is on the page. */
  readonly drawList: (props: Props) => JSX.Element
}

type ListRequest<Question> = {
  readonly question: Question
  readonly before: number | null
  readonly viewer: User | null
  readonly request: Request
}

/**
 * Makes the function that answers a page with a list. The newest page is read once for all concurrent requests,
 * and rendered once for those that are not signed in. htmx gets an older page as the list alone.
 */
export function listPage<Question, Props>({ baseUrl, read, drawPage, drawList }: Options<Question, Props>) {
  const readNewest = share(async (question: Question) => {
    const props = await read(question, null)
    return { props, anonymous: pageResponder(drawPage(props, null)) }
  })

  return async ({ question, before, viewer, request }: ListRequest<Question>): Promise<Response> => {
    const options = { isPrivate: viewer !== null, request }
    if (before === null) {
      const { props, anonymous } = await readNewest(question)
      return viewer === null ? anonymous(request) : page(drawPage(props, viewer), options)
    }
    const props = await read(question, before)
    return isOlderPart(request)
      ? fragment(underBasePath(baseUrl, drawList(props)), options)
      : page(drawPage(props, viewer), options)
  }
}
