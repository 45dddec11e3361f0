import { curl, step } from './pipelines.ts'

type For = { readonly baseUrl: string; readonly audience: string; readonly username: string }

/** The snippets that announce without a secret, each with its name: for what proves who a job is. */
export function secretlessSnippets(of: For): readonly (readonly [name: string, code: string])[] {
  return [
    ['GitHub', gitHubWithoutSecret(of)],
    ['GitLab', gitLabWithoutSecret(of)],
  ]
}

/** A step of a GitHub Actions job. */
export function gitHubWithoutSecret({ baseUrl, audience, username }: For): string {
  const user = `SHIPFEED_USER: ${username}`
  return `# The last step of the job that deploys, which also has
# permissions: { contents: read, id-token: write }
${step(baseUrl, audience === baseUrl ? user : `${user}\n    SHIPFEED_AUDIENCE: ${JSON.stringify(audience)}`)}`
}

/** A job of GitLab CI, which fails and may. */
export function gitLabWithoutSecret({ baseUrl, audience, username }: For): string {
  return `announce:
  stage: .post
  image: { name: curlimages/curl, entrypoint: [''] }
  rules: [{ if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]
  allow_failure: true
  id_tokens: { SHIPFEED_ID_TOKEN: { aud: ${JSON.stringify(audience)} } }
  script:
    - ${curl} -o .shipfeed.sh ${baseUrl}/ci/announce.sh
    - SHIPFEED_FAIL=true SHIPFEED_USER=${username} sh .shipfeed.sh`
}
