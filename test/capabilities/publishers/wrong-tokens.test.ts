import { afterAll, expect, test } from 'bun:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import { expectError, expectUnauthorized } from '../../support/api.ts'
import {
  audience,
  gitHubClaims,
  gitLabClaims,
  otherClaims,
  secondsFromNow,
} from '../../support/oidc/claims.ts'
import { exchange } from '../../support/oidc/exchange.ts'
import { newKey, publicJwk, startIssuer } from '../../support/oidc/issuer.ts'
import { behindProxy, fromNewAddress, signUp } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const issuer = await startIssuer()
afterAll(issuer[Symbol.asyncDispose])
const service = await useService({ ...issuer.environment, ...behindProxy })
const ada = await signUp(service)
const trusted = { repository: 'ada/engine', workflow: 'deploy.yml', environment: 'production' }
await ada.send('/settings/publishers', { issuer: issuer.addressOf('github'), ...trusted })
await ada.send('/settings/publishers', {
  issuer: issuer.addressOf('gitlab'),
  repository: 'ada/engine',
  workflow: '.gitlab-ci.yml',
})
await ada.send('/settings/publishers', {
  issuer: issuer.addressOf('other'),
  repository: 'organization:Ada:pipeline:7',
})
const stranger = await newKey('RS256')
const curve = await newKey('ES256')
const spki = (await publicJwk(issuer.key)).n ?? ''

const gitHub = (more: Record<string, unknown> = {}) => issuer.sign(gitHubClaims(issuer, more))
const gitLab = (more: Record<string, unknown> = {}) => issuer.sign(gitLabClaims(issuer, more))
const other = (more: Record<string, unknown> = {}) => issuer.sign(otherClaims(issuer, more))
const withHeader = (header: Record<string, unknown>) => issuer.sign(gitHubClaims(issuer), { header })
const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A right token with its nth part changed. */
async function altered(n: number, change: (part: string) => string): Promise<string> {
  const parts = (await gitHub()).split('.')
  return parts.with(n, change(parts[n] ?? '')).join('.')
}

/** Who sends these has proved nothing, and is told nothing. */
const unproved: readonly (readonly [name: string, make: () => string | Promise<string>])[] = [
  ['no token', () => 'ada'],
  ['two parts', async () => (await gitHub()).split('.').slice(0, 2).join('.')],
  ['five parts, as if encrypted', async () => `${await gitHub()}.a.b`],
  ['parts that are no base64', () => '!.?.*'],
  ['a payload that is no JSON', () => altered(1, () => Buffer.from('{').toString('base64url'))],
  ['a payload that is a list', () => altered(1, () => segment([1]))],
  ['an issuer that is not listed', () => gitHub({ iss: 'https://token.example' })],
  ['the issuer with a slash more', () => gitHub({ iss: `${issuer.addressOf('github')}/` })],
  ['the issuer in capitals', () => gitHub({ iss: issuer.addressOf('github').toUpperCase() })],
  ['no issuer', () => gitHub({ iss: undefined })],
  ['a list of issuers', () => gitHub({ iss: [issuer.addressOf('github')] })],
  ['alg none', () => new UnsecuredJWT(gitHubClaims(issuer)).encode()],
  [
    'alg none, with the signature left',
    () => altered(0, () => segment({ alg: 'none', kid: issuer.key.kid })),
  ],
  [
    'HS256 with the public key as its secret',
    () =>
      new SignJWT(gitHubClaims(issuer))
        .setProtectedHeader({ alg: 'HS256', kid: issuer.key.kid })
        .sign(new TextEncoder().encode(spki)),
  ],
  ['PS256', () => altered(0, () => segment({ alg: 'PS256', kid: issuer.key.kid }))],
  ['an alg that there is not', () => altered(0, () => segment({ alg: 'ROT13', kid: issuer.key.kid }))],
  ['no kid', () => withHeader({ kid: undefined })],
  ['a kid that is no text', () => altered(0, () => segment({ alg: 'RS256', kid: 7 }))],
  ['an unknown kid', () => withHeader({ kid: 'unknown' })],
  ['a kid that is a path', () => withHeader({ kid: '../../dev/null' })],
  [
    'the key of a stranger by the name of ours',
    () => issuer.sign(gitHubClaims(issuer), { key: { ...stranger, kid: issuer.key.kid } }),
  ],
  [
    'ES256 by the name of a key for RS256',
    () => issuer.sign(gitHubClaims(issuer), { key: { ...curve, kid: issuer.key.kid } }),
  ],
  [
    'a key of its own in the header',
    async () =>
      issuer.sign(gitHubClaims(issuer), { key: stranger, header: { jwk: await publicJwk(stranger) } }),
  ],
  [
    'an address of keys in the header',
    () =>
      issuer.sign(gitHubClaims(issuer), {
        key: stranger,
        header: { jku: `${issuer.addressOf('other')}/evil` },
      }),
  ],
  [
    'a critical extension',
    () => altered(0, () => segment({ alg: 'RS256', kid: issuer.key.kid, crit: ['x'], x: 1 })),
  ],
  [
    'another claim in the same signature',
    () =>
      altered(1, (part) =>
        segment({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), repository: 'eve/engine' }),
      ),
  ],
  ['no signature', () => altered(2, () => '')],
  ['the signature of another token', async () => altered(2, () => 'A'.repeat(342))],
]

/** These are signed by the issuer; the reason names the claim, what it is and what it should be. */
const forbidden: readonly (readonly [name: string, make: () => Promise<string>, reason: RegExp])[] = [
  [
    'an audience of others',
    () => gitHub({ aud: 'https://pypi.example' }),
    /^The claim aud is "https:\/\/pypi\.example", and must be only "http:\/\/shipfeed\.test"\.$/,
  ],
  [
    'an audience that begins as ours',
    () => gitHub({ aud: `${audience}.evil.example` }),
    /aud is "http:\/\/shipfeed\.test\.evil/,
  ],
  ['the beginning of our audience', () => gitHub({ aud: 'http://shipfeed' }), /aud is "http:\/\/shipfeed",/],
  ['our audience with a slash', () => gitHub({ aud: `${audience}/` }), /aud is "http:\/\/shipfeed\.test\/",/],
  [
    'a list of audiences',
    () => gitHub({ aud: [audience, 'https://pypi.example'] }),
    /aud is \["http:\/\/shipfeed\.test","https/,
  ],
  ['a list of our audience alone', () => gitHub({ aud: [audience] }), /aud is \["http:\/\/shipfeed\.test"\]/],
  ['no audience', () => gitHub({ aud: undefined }), /aud is missing/],
  ['expired', () => gitHub({ exp: secondsFromNow(-90) }), /exp is \d{10}, and it is \d{10} now/],
  ['no end', () => gitHub({ exp: undefined }), /exp is missing/],
  ['an end that is a text', () => gitHub({ exp: `${secondsFromNow(300)}` as never }), /exp is "\d{10}"/],
  ['not yet valid', () => gitHub({ nbf: secondsFromNow(90) }), /nbf is \d{10}, and it is \d{10} now/],
  ['from the future', () => gitHub({ iat: secondsFromNow(90) }), /iat is \d{10}, and it is \d{10} now/],
  ['no beginning', () => gitHub({ iat: undefined }), /iat is missing/],
  ['no id', () => gitHub({ jti: undefined }), /jti is missing/],
  ['an id that is a number', () => gitHub({ jti: 7 as never }), /jti is 7, and must have/],
  ['an empty id', () => gitHub({ jti: '' }), /jti is ""/],
  ['an id with a NUL', () => gitHub({ jti: 'a\0b' }), /jti is "a\\u0000b"/],
  ['an id that is too long', () => gitHub({ jti: 'x'.repeat(256) }), /jti is "x{199}…/],
  [
    'another repository',
    () => gitHub({ repository: 'eve/engine' }),
    /repository is "eve\/engine", and this user has no such publisher/,
  ],
  [
    'a repository that begins alike',
    () => gitHub({ repository: 'ada/engine2' }),
    /repository is "ada\/engine2"/,
  ],
  ['no repository, though in its sub', () => gitHub({ repository: undefined }), /repository is missing/],
  [
    'no number of its owner',
    () => gitHub({ repository_owner_id: undefined }),
    /repository_owner_id is missing/,
  ],
  ['a number with a NUL', () => gitHub({ repository_id: '7\0' }), /repository_id is missing/],
  [
    'a pull request',
    () => gitHub({ event_name: 'pull_request' }),
    /event_name is "pull_request", and such runs may not announce/,
  ],
  [
    'a pull request of anybody',
    () => gitHub({ event_name: 'pull_request_target' }),
    /event_name is "pull_request_target"/,
  ],
  ...['pull_request_review', 'pull_request_review_comment'].map(
    (event_name) =>
      [
        `a ${event_name}`,
        () => gitHub({ event_name, ref: 'refs/pull/7/merge' }),
        /event_name is "pull_request_review/,
      ] as const,
  ),
  ...['workflow_run', 'push', 'issue_comment'].map(
    (event_name) =>
      [
        `a ${event_name} on the ref of a pull request`,
        () => gitHub({ event_name, ref: 'refs/pull/7/merge' }),
        /^The claim ref is "refs\/pull\/7\/merge", and runs for pull and merge requests may not announce\.$/,
      ] as const,
  ),
  ...['workflow_ref', 'job_workflow_ref'].map(
    (claim) =>
      [
        `a ${claim} on the ref of a pull request`,
        () => gitHub({ [claim]: 'ada/engine/.github/workflows/deploy.yml@refs/pull/7/merge' }),
        new RegExp(`^The claim ${claim} is "ada/engine.*@refs/pull/7/merge", and runs for pull`),
      ] as const,
  ),
  [
    'a workflow whose name has a ref in it',
    () => gitHub({ workflow_ref: 'ada/engine/.github/workflows/deploy.yml@evil.yml@refs/heads/x' }),
    /workflow_ref names the workflow "deploy\.yml@evil\.yml"/,
  ],
  [
    "a workflow in GitLab's form",
    () => gitHub({ workflow_ref: 'x/ada/engine//deploy.yml@refs/heads/main' }),
    /workflow_ref names the workflow "x\/ada/,
  ],
  [
    'another workflow',
    () => gitHub({ workflow_ref: 'ada/engine/.github/workflows/test.yml@refs/heads/main' }),
    /workflow_ref names the workflow "test\.yml", and the publisher requires "deploy\.yml"/,
  ],
  [
    'our workflow of another repository',
    () => gitHub({ workflow_ref: 'eve/x/.github/workflows/deploy.yml@refs/heads/main' }),
    /workflow "eve\/x\/\.github/,
  ],
  [
    'the workflow as a reusable one alone',
    () => gitHub({ workflow_ref: undefined, job_workflow_ref: 'ada/engine/.github/workflows/deploy.yml@x' }),
    /the workflow missing/,
  ],
  [
    'another environment',
    () => gitHub({ environment: 'staging' }),
    /environment is "staging", and the publisher requires "production"/,
  ],
  ['no environment', () => gitHub({ environment: undefined }), /environment is missing/],
  ['a project of others', () => gitLab({ project_path: 'eve/engine' }), /project_path is "eve\/engine"/],
  [
    'a merge request, which older GitLabs call by its parent',
    () => gitLab({ pipeline_source: 'merge_request_event' }),
    /pipeline_source is "merge_request_event"/,
  ],
  [
    'an external pull request',
    () => gitLab({ pipeline_source: 'external_pull_request_event' }),
    /pipeline_source is "external_pull_request_event"/,
  ],
  ...[
    { ref_path: 'refs/merge-requests/7/head' },
    { ref: 'refs/merge-requests/7/head' },
    { ci_config_ref_uri: 'gitlab.example.com/ada/engine//.gitlab-ci.yml@refs/merge-requests/7/head' },
  ].map(
    (claims) =>
      [
        `a child of a merge request's pipeline, by its ${Object.keys(claims)[0]}`,
        () => gitLab({ pipeline_source: 'parent_pipeline', ref_protected: 'true', ...claims }),
        new RegExp(
          `^The claim ${Object.keys(claims)[0]} is ".*refs/merge-requests/7/head", and runs for pull`,
        ),
      ] as const,
  ),
  [
    'a child pipeline of a branch that anybody may push',
    () => gitLab({ pipeline_source: 'parent_pipeline', ref_protected: 'false' }),
    /^The claim ref_protected is "false", and a child pipeline may announce only from protected branches and tags\.$/,
  ],
  [
    'a child pipeline that does not tell whether its branch is protected',
    () => gitLab({ pipeline_source: 'parent_pipeline', ref_protected: undefined }),
    /^The claim ref_protected is missing/,
  ],
  [
    'a configuration whose name has a ref in it',
    () =>
      gitLab({
        ci_config_ref_uri: 'gitlab.example.com/ada/engine//.gitlab-ci.yml@refs/x.yml@refs/heads/main',
      }),
    /names the workflow "\.gitlab-ci\.yml@refs\/x\.yml"/,
  ],
  [
    'the configuration of another project',
    () => gitLab({ ci_config_ref_uri: 'gitlab.example.com/eve/x//.gitlab-ci.yml@refs/heads/main' }),
    /ci_config_ref_uri names the workflow "gitlab\.example\.com\/eve/,
  ],
  [
    "GitHub's claims from another issuer",
    () => other({ ...gitHubClaims(issuer), iss: issuer.addressOf('other') }),
    /sub is "repo:ada@5/,
  ],
  [
    'another sub',
    () => other({ sub: 'organization:Ada:pipeline:70' }),
    /sub is "organization:Ada:pipeline:70"/,
  ],
  [
    'the sub in another case',
    () => other({ sub: 'organization:ada:pipeline:7' }),
    /sub is "organization:ada:pipeline:7"/,
  ],
]

test(`there are ${unproved.length + forbidden.length} wrong tokens`, () => {
  expect(unproved.length + forbidden.length).toBeGreaterThan(40)
})

test('what all of them differ from is right', async () => {
  for (const right of [gitHub(), gitLab(), other()]) {
    const answer = await exchange(service, { jwt: await right, user: ada.username })
    expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)])
  }
})

test.each(unproved)('a token is 401 without a reason: %s', async (_, make) => {
  await expectUnauthorized(
    await exchange(service, { jwt: await make(), user: ada.username }, fromNewAddress()),
  )
})

test.each(forbidden)('a token is 403 with its reason: %s', async (_, make, reason) => {
  const answer = await exchange(service, { jwt: await make(), user: ada.username }, fromNewAddress())
  const { message } = (await answer.clone().json()) as { message: string }
  expect(message).toMatch(reason)
  await expectError(answer, 403, 'forbidden')
})
