import type { JWTPayload } from 'jose'
import type { LocalIssuer } from './issuer.ts'

export const audience = 'http://shipfeed.test'

/** The instant in whole seconds, some seconds from now. */
export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds
}

function timely(): JWTPayload {
  return {
    aud: audience,
    jti: crypto.randomUUID(),
    iat: secondsFromNow(0),
    nbf: secondsFromNow(0),
    exp: secondsFromNow(300),
  }
}

/** The claims of a job of ada/engine on GitHub, as its reference lists them, with `sub` in the form since 2026. */
export function gitHubClaims(issuer: LocalIssuer, more: Record<string, unknown> = {}): JWTPayload {
  return {
    ...timely(),
    iss: issuer.addressOf('github'),
    sub: 'repo:ada@5/engine@74:ref:refs/heads/main',
    repository: 'ada/engine',
    repository_id: '74',
    repository_owner: 'ada',
    repository_owner_id: '5',
    workflow_ref: 'ada/engine/.github/workflows/deploy.yml@refs/heads/main',
    job_workflow_ref: 'shared/flows/.github/workflows/release.yml@refs/heads/main',
    environment: 'production',
    event_name: 'push',
    run_id: '8841',
    sha: 'c0ffee',
    ...more,
  }
}

/** The claims of a job of ada/engine on GitLab. */
export function gitLabClaims(issuer: LocalIssuer, more: Record<string, unknown> = {}): JWTPayload {
  return {
    ...timely(),
    iss: issuer.addressOf('gitlab'),
    sub: 'project_path:ada/engine:ref_type:branch:ref:main',
    project_path: 'ada/engine',
    project_id: '20',
    namespace_path: 'ada',
    namespace_id: '72',
    pipeline_source: 'push',
    ref_protected: 'true',
    ci_config_ref_uri: 'gitlab.example.com/ada/engine//.gitlab-ci.yml@refs/heads/main',
    ...more,
  }
}

/** The claims of a job of acme/engine on Buildkite, with those that its agent has to ask for. It has no `jti`. */
export function buildkiteClaims(issuer: LocalIssuer, more: Record<string, unknown> = {}): JWTPayload {
  const { jti: _, ...claims } = timely()
  const commit = '9f3182061f1e2cca4702c368cbc039b7dc9d4485'
  return {
    ...claims,
    iss: issuer.addressOf('buildkite'),
    sub: `organization:acme:pipeline:engine:ref:refs/heads/main:commit:${commit}:step:deploy`,
    organization_slug: 'acme',
    organization_id: '0184990a-477b-4fa8-9968-496074483cec',
    pipeline_slug: 'engine',
    pipeline_id: '0184990a-4782-42b5-afc1-16715b10b1b0',
    build_number: 1,
    build_branch: 'main',
    build_tag: '',
    build_commit: commit,
    step_key: 'deploy',
    job_id: crypto.randomUUID(),
    ...more,
  }
}

export const circleCiProject = '3a2f5b1c-7d4e-4f6a-9b8c-0d1e2f3a4b5c'

/** The claims of a job on CircleCI, which has no `jti` either. */
export function circleCiClaims(issuer: LocalIssuer, more: Record<string, unknown> = {}): JWTPayload {
  const { jti: _, ...claims } = timely()
  const organization = issuer.addressOf('circleci').split('/').at(-1)
  return {
    ...claims,
    iss: issuer.addressOf('circleci'),
    sub: `org/${organization}/project/${circleCiProject}/user/5e6f7a8b-9c0d-4e1f-a2b3-c4d5e6f7a8b9`,
    'oidc.circleci.com/org-id': organization,
    'oidc.circleci.com/project-id': circleCiProject,
    'oidc.circleci.com/context-ids': [],
    'oidc.circleci.com/ssh-rerun': false,
    'oidc.circleci.com/vcs-origin': 'github.com/acme/engine',
    'oidc.circleci.com/vcs-ref': 'refs/heads/main',
    'oidc.circleci.com/workflow-id': crypto.randomUUID(),
    ...more,
  }
}

/** The claims of whatever else runs pipelines. */
export function otherClaims(issuer: LocalIssuer, more: Record<string, unknown> = {}): JWTPayload {
  return { ...timely(), iss: issuer.addressOf('other'), sub: 'organization:Ada:pipeline:7', ...more }
}
