/** A stand-in for the API of a forge, with a repository `ada/engine`, in the addresses and answers of the real one. */
export type Forge = {
  /** The git address of the repository. */
  readonly remote: string
  /** The paths that were asked for, with the Authorization. */
  readonly asked: readonly (readonly [path: string, authorization: string | null])[]
  [Symbol.asyncDispose](): Promise<void>
}

type Answer = (url: URL, call: number) => Response | Promise<Response>

export type ForgeKind = 'github' | 'gitlab' | 'forgejo'

/** How many calls are refused at first, as each forge refuses them beyond its limit. */
type Limit = { readonly refusals?: number }

const soon = () => String(Math.floor(Date.now() / 1000))

const refuse: Readonly<Record<ForgeKind, () => Response>> = {
  // GitHub tells the second at which there is room again.
  github: () =>
    Response.json(
      { message: 'API rate limit exceeded for user ID 1.' },
      { status: 403, headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': soon() } },
    ),
  gitlab: () =>
    new Response('Retry later\n', {
      status: 429,
      headers: { 'Retry-After': '1', 'RateLimit-Remaining': '0' },
    }),
  forgejo: () => new Response('Too many requests', { status: 429, headers: { 'Retry-After': '1' } }),
}

/** Starts one. */
export function forge(kind: ForgeKind, { refusals = 0 }: Limit = {}): Forge {
  const asked: [string, string | null][] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const url = new URL(request.url)
      asked.push([url.pathname + url.search, request.headers.get('authorization')])
      if (request.headers.get('authorization') !== 'Bearer forge_token')
        return Response.json({ message: 'Bad credentials' }, { status: 401 })
      if (asked.length <= refusals) return refuse[kind]()
      return answers[kind](url, asked.length)
    },
  })
  return {
    remote: `${server.url.origin}/ada/engine.git`,
    asked,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

/** Pages as the forge cuts them. */
function paged(items: readonly object[], url: URL, size: number): Response {
  const page = Number(url.searchParams.get('page') ?? '1')
  return Response.json(items.slice((page - 1) * size, page * size))
}

const notFound = () => Response.json({ message: 'Not Found' }, { status: 404 })

/** A text with all that a reader of JSON may stumble over. */
export const trickyName = 'The "quoted" \\ one, {[:,]} 🎉 \t end\\'

const author = { login: 'ada', id: 1, tag_name: 'not a tag' }
const released = (n: number, more: object = {}) => ({
  url: `https://api.github.com/repos/ada/engine/releases/${n}`,
  html_url: `https://github.com/ada/engine/releases/tag/v${n}.0`,
  id: n,
  author,
  tag_name: `v${n}.0`,
  target_commitish: 'main',
  name: `Release ${n}`,
  draft: false,
  prerelease: false,
  created_at: `2020-01-${String(n).padStart(2, '0')}T09:00:00Z`,
  published_at: `2020-01-${String(n).padStart(2, '0')}T10:00:00Z`,
  assets: [{ id: 7, name: 'engine.tgz', tag_name: 'v0', created_at: '2001-01-01T00:00:00Z' }],
  body: 'A "quoted" word, a backslash \\" and {"tag_name": "v0"}\r\n'.repeat(50),
  ...more,
})

const releases = [
  released(1),
  released(2, { name: trickyName }),
  released(3, { name: null }),
  released(4, { name: 'v4.0' }),
  released(5, { draft: true, published_at: null }),
]

const commit = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e'

const answers: Readonly<Record<ForgeKind, Answer>> = {
  github(url) {
    const path = url.pathname.replace('/api/v3/repos/ada/engine/', '')
    if (path === 'releases') return paged(releases, url, 3)
    const deployed = (id: number, environment: string, more: object = {}) => ({
      id,
      sha: commit,
      ref: 'main',
      task: 'deploy',
      payload: { id: 99, sha: 'none' },
      environment,
      original_environment: environment,
      description: null,
      creator: author,
      created_at: '2020-02-01T09:00:00Z',
      transient_environment: false,
      ...more,
    })
    if (path === 'deployments') {
      return paged(
        [
          deployed(18, 'staging', { ref: 'refs/pull/12/merge' }),
          deployed(17, 'Preview – docs'),
          deployed(16, 'Production – docs', { description: 'Deployed to Railway' }),
          deployed(14, 'qa-12', { transient_environment: true }),
          deployed(13, 'staging'),
          deployed(12, 'Production – EU', { description: 'By "hand"' }),
          deployed(11, 'production'),
        ],
        url,
        3,
      )
    }
    const [, id = ''] = /^deployments\/(\d+)\/statuses$/.exec(path) ?? []
    const status = (state: string, at: string) => ({ id: 1, state, creator: author, created_at: at })
    const failed = [status('failure', '2020-02-13T10:00:00Z')]
    const succeeded = [
      status('inactive', '2020-03-01T10:00:00Z'),
      status('success', `2020-02-${id}T10:00:00Z`),
      status('in_progress', '2020-02-01T09:30:00Z'),
    ]
    if (id !== '') return Response.json(id === '13' ? failed : succeeded)
    return notFound()
  },
  gitlab(url) {
    const path = url.pathname.replace('/api/v4/projects/ada%2Fengine/', '')
    if (path === 'releases') {
      const page = 'https://gitlab.example/ada/engine/-/releases'
      const list = releases.map(({ tag_name, name, published_at }, n) => ({
        tag_name,
        name,
        description: 'What is new',
        created_at: published_at,
        released_at: published_at,
        upcoming_release: n === 4,
        author,
        commit: { id: commit, short_id: commit.slice(0, 8), title: 'x' },
        _links: { closed_issues_url: `${page}/x`, self: `${page}/${tag_name}` },
        evidences: [{ sha: 'x', collected_at: '2001-01-01T00:00:00Z' }],
      }))
      return paged(list, url, 3)
    }
    if (path === 'deployments' && url.searchParams.get('status') === 'success') {
      const deployed = (id: number, environment: string, deployable: object | null, ref = 'main') => ({
        id,
        iid: id,
        ref,
        sha: commit,
        created_at: '2020-02-01T09:00:00.000+01:00',
        updated_at: '2020-02-01T09:00:00.000+01:00',
        status: 'success',
        user: { id: 1, name: 'Ada', username: 'ada' },
        environment: { id: 9, name: environment, external_url: 'https://engine.example' },
        deployable,
      })
      const job = (title: string, at: string) => ({
        id: 664,
        name: 'deploy',
        commit: { id: commit, title, created_at: '2001-01-01T00:00:00Z' },
        created_at: '2020-02-01T09:00:00.000+01:00',
        finished_at: at,
        pipeline: { id: 36, sha: 'x' },
      })
      return paged(
        [
          deployed(1, 'production', job('feat: "searches"', '2020-02-11T10:00:00.000+01:00')),
          deployed(2, 'review/login', job('x', '2020-02-12T10:00:00Z')),
          deployed(4, 'mr-12', job('x', '2020-02-12T10:00:00Z'), 'refs/merge-requests/12/merge'),
          deployed(3, 'staging', null),
        ],
        url,
        2,
      )
    }
    return notFound()
  },
  forgejo(url) {
    if (url.pathname !== '/api/v1/repos/ada/engine/releases') return notFound()
    const page = `${url.origin}/ada/engine/releases/tag`
    const list = releases.map((release) => ({ ...release, html_url: `${page}/${release.tag_name}` }))
    // Forgejo gives at most what its operator allows, whatever is asked for.
    return paged(list, url, 2)
  },
}
