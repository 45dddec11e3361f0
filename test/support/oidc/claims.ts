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

/** The claims of whatever else runs pipelines. */
export function otherClaims(issuer: LocalIssuer, more: Record<string, unknown> = {}): JWTPayload {
  return { ...timely(), iss: issuer.addressOf('other'), sub: 'organization:Ada:pipeline:7', ...more }
}
