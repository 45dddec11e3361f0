import type { IntakeKind } from '../../../src/capabilities/intakes/rules.ts'

/** What a forge posts: the name of its event, and the payload with the members that it really has. */
export type Delivery = { readonly kind: IntakeKind; readonly event: string; readonly payload: object }

export const sha = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e'

type Deployed = {
  readonly id?: number
  readonly state?: string
  readonly environment?: string
  readonly ref?: string
  readonly description?: string | null
  readonly title?: string
  readonly isTransient?: boolean
  readonly server?: string
}

const githubRepository = (server: string) => ({
  id: 186853002,
  node_id: 'MDEwOlJlcG9zaXRvcnkxODY4NTMwMDI=',
  name: 'engine',
  full_name: 'ada/engine',
  private: false,
  owner: { login: 'ada', id: 21031067, type: 'Organization', site_admin: false },
  html_url: `${server}/ada/engine`,
  description: null,
  fork: false,
  url: 'https://api.github.com/repos/ada/engine',
  created_at: '2019-05-15T15:19:25Z',
  pushed_at: '2019-05-15T15:20:52Z',
  clone_url: `${server}/ada/engine.git`,
  default_branch: 'main',
})

/** `deployment_status` of GitHub. Deployments of Actions have a run, and those of other tools have none. */
export function githubDeployment({
  id = 145988746,
  state = 'success',
  environment = 'production',
  ref = 'main',
  description = null,
  title,
  isTransient = false,
  server = 'https://github.com',
}: Deployed = {}): Delivery {
  const run = {
    id: 7,
    name: 'Deploy',
    path: '.github/workflows/deploy.yml',
    display_title: title,
    event: 'push',
  }
  const payload = {
    action: 'created',
    deployment_status: {
      id: 209916254,
      state,
      creator: { login: 'ada', id: 21031067, type: 'User' },
      description: '',
      environment,
      target_url: 'https://github.com/ada/engine/actions/runs/7',
      environment_url: 'https://engine.example',
      created_at: '2019-05-15T15:20:55Z',
      deployment_url: `https://api.github.com/repos/ada/engine/deployments/${id}`,
    },
    deployment: {
      id,
      sha,
      ref,
      task: 'deploy',
      payload: {},
      original_environment: environment,
      environment,
      description,
      transient_environment: isTransient,
      production_environment: environment === 'production',
      created_at: '2019-05-15T15:20:53Z',
    },
    ...(title === undefined ? { workflow: null, workflow_run: null } : { workflow_run: run }),
    repository: githubRepository(server),
    sender: { login: 'ada', id: 21031067, type: 'User' },
  }
  return { kind: 'github', event: 'deployment_status', payload }
}

type Release = { id?: number; tag?: string; name?: string; action?: string; isDraft?: boolean }

/** `release` of GitHub. */
export function githubRelease(release: Release = {}): Delivery {
  return { kind: 'github', event: 'release', payload: releaseAt('https://github.com/ada/engine', release) }
}

/** `release` of Forgejo and Gitea, which have the same members. */
export function forgejoRelease(release: Release = {}): Delivery {
  return { kind: 'forgejo', event: 'release', payload: releaseAt('https://codeberg.org/ada/engine', release) }
}

function releaseAt(page: string, { id = 17372790, tag = 'v2.4.0', name = '', ...rest }: Release) {
  const { action = 'published', isDraft = false } = rest
  return {
    action,
    release: {
      id,
      tag_name: tag,
      target_commitish: 'main',
      name,
      body: 'Saved searches, and more.',
      draft: isDraft,
      prerelease: false,
      created_at: '2019-05-15T15:19:25Z',
      published_at: '2019-05-15T15:20:53Z',
      html_url: `${page}/releases/tag/${tag}`,
      tarball_url: `${page}/archive/${tag}.tar.gz`,
      author: { id: 3, login: 'ada' },
      assets: [],
    },
    repository: {
      id: 186853002,
      name: 'engine',
      full_name: 'ada/engine',
      html_url: page,
      default_branch: 'main',
    },
    sender: { id: 3, login: 'ada' },
  }
}

const gitlabProject = {
  id: 30,
  name: '🚀 Engine',
  description: '',
  web_url: 'https://gitlab.example/ada/engine',
  git_http_url: 'https://gitlab.example/ada/engine.git',
  namespace: 'Ada',
  visibility_level: 0,
  path_with_namespace: 'ada/engine',
  default_branch: 'main',
  ci_config_path: '',
}

type OnGitlab = { id?: number; status?: string; environment?: string; ref?: string; title?: string }

/** `deployment` of GitLab. */
export function gitlabDeployment({
  id = 15,
  status = 'success',
  environment = 'staging',
  ref = 'main',
  title = 'feat: saved searches',
}: OnGitlab = {}): Delivery {
  const payload = {
    object_kind: 'deployment',
    status,
    status_changed_at: '2021-04-28 21:50:00 +0200',
    deployment_id: id,
    deployable_id: 796,
    deployable_url: 'https://gitlab.example/ada/engine/-/jobs/796',
    environment,
    environment_tier: 'staging',
    environment_slug: environment,
    environment_external_url: 'https://staging.example.com',
    project: gitlabProject,
    ref,
    short_sha: sha.slice(0, 8),
    user: { id: 1, name: 'Ada', username: 'ada', email: '[REDACTED]' },
    user_url: 'https://gitlab.example/ada',
    commit_url: `https://gitlab.example/ada/engine/-/commit/${sha}`,
    commit_title: title,
  }
  return { kind: 'gitlab', event: 'Deployment Hook', payload }
}

/** `release` of GitLab. */
export function gitlabRelease({
  id = 1,
  action = 'create',
  tag = 'v1.1',
  name = 'v1.1',
}: Release = {}): Delivery {
  const page = `${gitlabProject.web_url}/-/releases/${tag}`
  const commit = { id: sha, message: 'Release v1.1', title: 'Release v1.1', url: page }
  const payload = {
    id,
    created_at: '2020-11-02 12:55:12 UTC',
    description: 'v1.1 has been released',
    name,
    released_at: '2020-11-02 12:55:12 UTC',
    tag,
    object_kind: 'release',
    project: gitlabProject,
    url: page,
    action,
    assets: { count: 0, links: [], sources: [] },
    commit,
  }
  return { kind: 'gitlab', event: 'Release Hook', payload }
}

type Run = { id?: number; trigger?: string; workflow?: string; started?: string; action?: string }

/** `action_run_success` of Forgejo. */
export function forgejoRun({
  id = 12345,
  trigger = 'push',
  workflow = 'deploy.yml',
  started = '2025-04-14T10:30:15Z',
  action = 'success',
}: Run = {}): Delivery {
  const payload = {
    action,
    run: {
      id,
      title: 'fix: the login',
      repository: {
        id: 421133,
        name: 'engine',
        full_name: 'ada/engine',
        html_url: 'https://codeberg.org/ada/engine',
      },
      workflow_id: workflow,
      index_in_repo: 9,
      trigger_user: { id: 3, login: 'ada' },
      ScheduleID: 0,
      prettyref: 'main',
      is_ref_deleted: false,
      commit_sha: sha,
      is_fork_pull_request: false,
      need_approval: false,
      approved_by: 0,
      event: trigger,
      event_payload: '{}',
      trigger_event: trigger,
      status: 'success',
      started,
      stopped: '2025-04-14T10:45:00Z',
      created: '2025-04-14T10:30:00Z',
      updated: '2025-04-14T10:45:00Z',
      duration: 885000000000,
      html_url: 'https://codeberg.org/ada/engine/actions/runs/9',
    },
    prior_status: 'running',
  }
  return { kind: 'forgejo', event: 'action_run_success', payload }
}
