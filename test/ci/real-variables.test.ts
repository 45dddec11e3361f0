import { afterAll, expect } from 'bun:test'
import { payloadIn } from '../fixtures/files.ts'
import { runScript } from '../support/ci/script.ts'
import { needing } from '../support/needs/needs.ts'
import { signUpPoster } from '../support/people.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'

/** What ci/announce.sh makes of the variables of jobs that ran, or that a CI documents (test/fixtures/README.md). */
const port = freePort()
const service = await useService({ BASE_URL: `http://127.0.0.1:${port}` }, null, port)
const script = await (await service.fetch('/ci/announce.sh')).text()
const directory = temporaryDirectory()
afterAll(directory.remove)

type Job = {
  readonly ci: string
  readonly variables: Readonly<Record<string, string>>
  readonly announced: Readonly<Record<string, string>>
}

const jobs = await payloadIn<readonly Job[]>('ci/variables.json')

/** The record of what a job without a checkout announces. */
async function announcedBy(variables: Job['variables']): Promise<object> {
  const { token, username } = await signUpPoster(service)
  const { exitCode, errors } = await runScript(script, {
    cwd: directory.path,
    env: { SHIPFEED_TOKEN: token, ...variables },
    shell: 'dash',
  })
  expect([exitCode, errors]).toEqual([0, ''])
  const list = await service.fetch(`/api/deployments?user=${username}`)
  const { deployments } = (await list.json()) as { deployments: object[] }
  expect(deployments).toHaveLength(1)
  return deployments[0] ?? {}
}

needing('curl', 'dash').test.each(jobs)('a job of $ci is announced with all that it says', async (job) => {
  const { id, deployed_at, page, user, username, status, category, ...told } = (await announcedBy(
    job.variables,
  )) as Record<string, unknown>
  expect(told).toEqual(job.announced)
})

needing('curl', 'dash').test.each([
  ['GitHub', { GITHUB_REPOSITORY: 'ccrook/gitlab-tools' }, 'https://github.com/ccrook/gitlab-tools/commit/'],
  ['Jenkins', { GIT_URL: 'git@github.com:ada/bitbucket.git' }, 'https://github.com/ada/bitbucket/commit/'],
  ['Jenkins', { GIT_URL: 'git@bitbucket.org:ada/gitlab.git' }, 'https://bitbucket.org/ada/gitlab/commits/'],
  ['GitLab', { CI_PROJECT_URL: 'https://code.example/a/b' }, 'https://code.example/a/b/-/commit/'],
])(
  'of %s, the link is a page of its forge, whatever the repository is called: %p',
  async (ci, other, start) => {
    const { variables = {} } = jobs.find((job) => job.ci === ci) ?? {}
    const commit = variables.GITHUB_SHA ?? variables.CI_COMMIT_SHA ?? variables.GIT_COMMIT
    expect(await announcedBy({ ...variables, ...other })).toMatchObject({ url: start + commit })
  },
)
