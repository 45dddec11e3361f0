import type { PageVersion } from '../../data/pages/page-versions.ts'
import { share } from '../../database/batch.ts'
import type { User } from '../../domain/account/user.ts'
import { holds, type KeptPages, startGzip } from '../../http/kept-pages.ts'
import {
  documentOf,
  etagOf,
  fragment,
  page,
  pageOfStart,
  pageResponder,
  type Responder,
} from '../../http/responses.ts'
import { underBasePath } from '../../views/page/address.ts'
import { endOfPage, type Moment } from '../../views/page/layout.tsx'

/** Keeps pages of users for readers who are not signed in (docs/architecture.md#kept-pages). */
type Keeping<Question> = {
  readonly pages: KeptPages
  /** The present version of a user's pages, null if there is no such user. */
  readonly readVersion: (username: string) => Promise<PageVersion | null>
  /** The page that answers a question: its user, and a key of its own. Null if it is not kept. */
  readonly pageOf: (question: Question) => { readonly username: string; readonly key: string } | null
}

/** The version that was read with a page, and when time alone changes the page. */
type Validity = { readonly version: string; readonly until: Date }

type Options<Question, Props> = {
  readonly baseUrl: string
  /** Reads the newest page of a list, or the page before an id. */
  readonly read: (question: Question, before: number | null) => Promise<Props>
  readonly drawPage: (props: Props, viewer: User | null) => JSX.Element
  /** Draws the list alone, as it is on the page. */
  readonly drawList: (props: Props) => JSX.Element
  /** If given, the newest pages that have a validity are kept. */
  readonly keeping?: Keeping<Question>
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
export function listPage<Question, Props extends Moment & { validity?: Validity | null }>({
  baseUrl,
  read,
  drawPage,
  drawList,
  keeping,
}: Options<Question, Props>) {
  const readNewest = share(async (question: Question) => {
    const props = await read(question, null)
    let respond: Responder | null = null
    // Drawn and compressed in one step, so that only one page is in memory as text, even if several are read at once.
    const anonymous: Responder = (request) => {
      respond ??= draw(question, props)
      return respond(request)
    }
    return { props, anonymous }
  })

  function draw(question: Question, props: Props): Responder {
    const markup = drawPage(props, null)
    const { validity } = props
    return keeping && validity
      ? keepPage(keeping, question, { markup, moment: props, validity })
      : pageResponder(markup)
  }

  return async ({ question, before, viewer, request }: ListRequest<Question>): Promise<Response> => {
    const options = { isPrivate: viewer !== null, request }
    if (before === null) {
      const kept = keeping && viewer === null ? await findKept(keeping, question, request) : null
      if (kept !== null) return kept
      const { props, anonymous } = await readNewest(question)
      return viewer === null ? anonymous(request) : page(drawPage(props, viewer), options)
    }
    const props = await read(question, before)
    // htmx appends an older page to the list of the page that is open.
    return request.headers.has('hx-request')
      ? fragment(underBasePath(baseUrl, drawList(props)), options)
      : page(drawPage(props, viewer), options)
  }
}

/** Answers with the page that is kept for a question; null if there is none that still holds. */
async function findKept<Question>(
  { pages, readVersion, pageOf }: Keeping<Question>,
  question: Question,
  request: Request,
): Promise<Response | null> {
  const asked = pageOf(question)
  const page = asked === null ? undefined : pages.find(asked.key)
  if (asked === null || page === undefined) return null
  const present = await readVersion(asked.username)
  if (present === null || !holds(page, present)) return null
  return pageOfStart(page, endOfPage(present), request)
}

type Drawn = { readonly markup: JSX.Element; readonly moment: Moment; readonly validity: Validity }

/** Keeps a page if it may be kept, and makes the responder for it. */
function keepPage<Question>(
  { pages, pageOf }: Keeping<Question>,
  question: Question,
  { markup, moment, validity }: Drawn,
): Responder {
  const end = endOfPage(moment)
  const start = documentOf(markup).slice(0, -end.length)
  const page = { start: startGzip(start), etag: etagOf(start) }
  const asked = pageOf(question)
  if (asked !== null) pages.keep(asked.key, { ...page, from: moment.now, ...validity })
  return (request) => pageOfStart(page, end, request)
}
