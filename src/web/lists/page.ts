import { share } from '../../database/batch.ts'
import type { User } from '../../domain/account/user.ts'
import { fragment, page, pageResponder, type Responder } from '../../http/responses.ts'
import { underBasePath } from '../../views/page/address.ts'
import type { Moment } from '../../views/page/layout.tsx'
import type { PageProps, Site } from '../../views/page/site.ts'

/** The version that was read with a page, and when time alone changes the page. */
export type Validity = { readonly version: string; readonly until: Date }

/** Keeps pages for readers who are not signed in (docs/architecture.md#kept-pages). */
type Keeping<Question> = {
  /** The answer with the page that is kept for a question; null if there is none that still holds. */
  readonly find: (question: Question, request: Request) => Promise<Response | null>
  /** Keeps a page if it may be kept, and makes the responder for it. */
  readonly keep: (question: Question, markup: JSX.Element, validity: Validity & Moment) => Responder
}

type Options<Question, Props> = {
  readonly site: Site
  /** Reads the newest page of a list, or the page before an id. */
  readonly read: (question: Question, before: number | null) => Promise<Props>
  readonly drawPage: (props: Props & PageProps) => JSX.Element
  readonly drawList: (props: Props) => JSX.Element
  /** If given, the newest pages that have a validity are kept. */
  readonly keeping?: Keeping<Question>
}

export type ListRequest<Question> = {
  readonly question: Question
  readonly before: number | null
  readonly viewer: User | null
  readonly request: Request
}

/** Makes the function that answers a page with a list. Concurrent requests share the reading of the newest page. */
export function listPage<Question, Props extends Moment & { validity?: Validity | null }>({
  site,
  read,
  drawPage,
  drawList,
  keeping,
}: Options<Question, Props>) {
  const readNewest = share(async (question: Question) => {
    const props = await read(question, null)
    let respond: Responder | undefined
    // Drawn and compressed in one step, so that only one page is in memory as text, even if several are read at once.
    const anonymous: Responder = (request) => {
      respond ??= draw(question, props)
      return respond(request)
    }
    return { props, anonymous }
  })

  function draw(question: Question, props: Props): Responder {
    const markup = drawPage({ ...props, site, viewer: null })
    const { validity, now, seen = null } = props
    return keeping && validity
      ? keeping.keep(question, markup, { ...validity, now, seen })
      : pageResponder(markup)
  }

  return async ({ question, before, viewer, request }: ListRequest<Question>): Promise<Response> => {
    const options = { isPrivate: viewer !== null, request }
    if (before === null) {
      const kept = viewer === null ? await keeping?.find(question, request) : null
      if (kept) return kept
      const { props, anonymous } = await readNewest(question)
      return viewer === null ? anonymous(request) : page(drawPage({ ...props, site, viewer }), options)
    }
    const props = await read(question, before)
    // htmx appends an older page to the list of the page that is open.
    return request.headers.has('hx-request')
      ? fragment(underBasePath(site.baseUrl, drawList(props)), options)
      : page(drawPage({ ...props, site, viewer }), options)
  }
}
