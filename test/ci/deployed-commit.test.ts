import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { announcingLine } from '../../src/views/parts/pipeline-snippets.ts'
import { runScript, testInShells } from '../support/ci/script.ts'
import { signUpPoster } from '../support/people.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'

/** Which commit ci/announce.sh announces, with its title and its link: the one that is deployed. */
const port = freePort()
const address = `http://127.0.0.1:${port}`
const service = await useService({ BASE_URL: address }, null, port)
const poster = await signUpPoster(service)
const script = await (await service.fetch('/ci/announce.sh')).text()

const directory = temporaryDirectory()
afterAll(directory.remove)

type Environment = Readonly<Record<string, string>>

/** A checkout with an older and a newer commit, for each test. */
let folder = ''
let older = ''
let newer = ''
let count = 0
beforeEach(() => {
  count += 1
  folder = join(directory.path, String(count))
  mkdirSync(folder)
  git('init', '--quiet', '--initial-branch', 'main')
  git('remote', 'add', 'origin', 'git@github.com:ada/engine.git')
  older = commit('fix: the older')
  newer = commit('feat: the newer')
})

function git(...words: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=a@b.example']
  return Bun.spawnSync(['git', ...who, ...words], { cwd: folder })
    .stdout.toString()
    .trim()
}

function commit(message: string): string {
  git('commit', '--quiet', '--allow-empty', '--message', message, '--cleanup', 'verbatim')
  return git('rev-parse', 'HEAD')
}

async function announce(environment: Environment, { shell = 'dash', cwd = folder } = {}) {
  const env = { SHIPFEED_TOKEN: poster.token, ...environment }
  const { exitCode, output, errors } = await runScript(script, { cwd, env, shell })
  expect([exitCode, errors]).toEqual([0, ''])
  expect(output).toStartWith('Announced: http')
  return await newest()
}

async function newest(): Promise<unknown> {
  const response = await service.fetch(`/api/deployments?user=${poster.username}&limit=1`)
  const [deployment] = ((await response.json()) as { deployments: Record<string, unknown>[] }).deployments
  const { message, url, environment, version, commit } = deployment ?? {}
  return { message, url, environment, version, commit }
}

const fields = { environment: undefined, version: undefined }
const linkOf = (commit: string) => `https://github.com/ada/engine/commit/${commit}`
const theOlder = () => ({ ...fields, message: 'fix: the older', url: linkOf(older), commit: older })
const theNewer = () => ({ ...fields, message: 'feat: the newer', url: linkOf(newer), commit: newer })

/** What a job on GitHub knows of the newest commit. */
const onGitHub = () => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_REF: 'refs/tags/v2.4.0',
  GITHUB_REPOSITORY: 'ada/engine',
  GITHUB_RUN_ID: crypto.randomUUID(),
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_SHA: newer,
  SHIPFEED_COMMIT_MESSAGE: 'feat: the newer\n\nBody',
})
/** The same on GitLab. */
const onGitLab = () => ({
  CI_COMMIT_MESSAGE: 'feat: the newer',
  CI_COMMIT_SHA: newer,
  CI_COMMIT_TAG: 'v2.4.0',
  CI_PIPELINE_ID: crypto.randomUUID(),
  CI_PROJECT_URL: 'https://gitlab.com/ada/engine',
})

describe('after a rollback, the older commit is announced with its own title and link', () => {
  testInShells('by SHIPFEED_COMMIT, in %s', async (shell) => {
    expect(await announce({}, { shell })).toEqual(theNewer())
    expect(await announce({ SHIPFEED_COMMIT: older }, { shell })).toEqual(theOlder())
  })

  test('by its beginning, as a file of Capistrano or a person may give it', async () => {
    const commit = older.slice(0, 7)
    expect(await announce({ SHIPFEED_COMMIT: commit })).toEqual({
      ...theOlder(),
      url: linkOf(commit),
      commit,
    })
  })

  test.each([
    ['GitHub', onGitHub, linkOf],
    ['GitLab', onGitLab, (commit: string) => `https://gitlab.com/ada/engine/-/commit/${commit}`],
  ])('and without the tag, in a job on %s that was started for the newer', async (_, job, link) => {
    const ofTag = { ...theNewer(), url: link(newer), version: 'v2.4.0' }
    expect(await announce(job())).toEqual(ofTag)
    expect(await announce({ ...job(), SHIPFEED_COMMIT: older })).toEqual({ ...theOlder(), url: link(older) })
    // If it is the same commit, all that the CI says of it holds.
    expect(await announce({ ...job(), SHIPFEED_COMMIT: newer })).toEqual(ofTag)
  })

  // As Kamal 2.12 calls .kamal/hooks/post-deploy, also after a rollback: lib/kamal/tags.rb, cli/main.rb.
  const ofKamal = (version: string): Environment => ({
    KAMAL_COMMAND: 'rollback',
    KAMAL_DESTINATION: 'production',
    KAMAL_PERFORMER: 'ada@example.org',
    KAMAL_RECORDED_AT: '2026-11-28T10:00:00Z',
    KAMAL_SERVICE: 'engine',
    KAMAL_SERVICE_VERSION: `engine@${version.slice(0, 7)}`,
    KAMAL_VERSION: version,
  })

  test('by what Kamal tells its hooks, on a laptop and on a CI', async () => {
    const rollback = { ...theOlder(), environment: 'production' }
    expect(await announce(ofKamal(older))).toEqual(rollback)
    expect(await announce(ofKamal(`${older}_uncommitted_7f3a`))).toEqual(rollback)
    expect(await announce({ ...onGitHub(), ...ofKamal(older) })).toEqual(rollback)
    expect(await announce({ ...ofKamal(newer), SHIPFEED_COMMIT: older })).toEqual(rollback)
  })

  test('by a version of Kamal that is no commit, without the commit of the checkout', async () => {
    expect(await announce(ofKamal('web_2'))).toEqual({
      message: 'engine web_2 deployed to production',
      url: 'https://github.com/ada/engine',
      environment: 'production',
      version: 'web_2',
      commit: undefined,
    })
  })

  test('without a title that nobody knows', async () => {
    const unknown = { ...fields, url: linkOf('cf61e70'), commit: 'cf61e70' }
    const given = { SHIPFEED_COMMIT: 'cf61e70' }
    expect(await announce(given)).toEqual({ ...unknown, message: 'engine cf61e70 deployed' })
    const told = { ...given, SHIPFEED_COMMIT_MESSAGE: 'fix: elsewhere\n\nBody' }
    expect(await announce(told)).toEqual({ ...unknown, message: 'fix: elsewhere' })
  })
})

test('a link that only git reads is announced as the page of its repository', async () => {
  const given = { SHIPFEED_LINK: 'git@github.com:zed/tool.git' }
  expect(await announce(given)).toEqual({ ...theNewer(), url: 'https://github.com/zed/tool' })
})

test('a commit that is none is refused, and nothing is written', async () => {
  const given = { SHIPFEED_TOKEN: poster.token, SHIPFEED_COMMIT: '--output=owned' }
  const { exitCode, errors } = await runScript(script, { cwd: folder, env: given })
  expect([exitCode, errors]).toEqual([0, expect.stringContaining('"commit"')])
  expect(readdirSync(folder)).toEqual(['.git'])
})

test('a hook of a bare repository announces the commit that was pushed', async () => {
  const bare = join(directory.path, `${count}.git`)
  git('init', '--quiet', '--bare', '--initial-branch', 'main', bare)
  git('push', '--quiet', bare, 'main')
  const hook = join(bare, 'hooks/post-receive')
  const line = announcingLine(address).replace('| sh', '| SHIPFEED_COMMIT=$new sh')
  writeFileSync(
    hook,
    `#!/bin/sh\nexport SHIPFEED_TOKEN=${poster.token}\nwhile read -r old new ref; do\n  ${line}\ndone\n`,
  )
  chmodSync(hook, 0o755)
  git('checkout', '--quiet', '-b', 'other', older)
  const pushed = commit('perf: pushed')
  // Not by `git` above, which would keep the service from answering.
  await Bun.spawn(['git', 'push', '--quiet', bare, 'other'], { cwd: folder }).exited
  // A bare repository knows no page.
  expect(await newest()).toEqual({ ...fields, message: 'perf: pushed', url: null, commit: pushed })
})

describe('a checkout of another user', () => {
  // So git's own tests make a checkout look.
  const foreign = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }

  test('is not read by git as it is', () => {
    const { stderr } = Bun.spawnSync(['git', 'log'], { cwd: folder, env: { ...process.env, ...foreign } })
    expect(stderr.toString()).toContain('dubious ownership')
  })

  testInShells('is announced like one of our own, in %s', async (shell) => {
    expect(await announce(foreign, { shell })).toEqual(theNewer())
  })

  test('is found from a folder in it, and by the address of another folder', async () => {
    const inner = join(folder, 'deep/er')
    mkdirSync(inner, { recursive: true })
    expect(await announce(foreign, { cwd: inner })).toEqual(theNewer())
    const linked = join(directory.path, `${count}-linked`)
    symlinkSync(folder, linked)
    expect(await announce(foreign, { cwd: linked })).toEqual(theNewer())
  })

  test('that is a work tree of its own is announced', async () => {
    git('worktree', 'add', '--quiet', 'tree', older)
    expect(await announce(foreign, { cwd: join(folder, 'tree') })).toEqual(theOlder())
  })

  test('cannot make the script run anything, or call a server', async () => {
    const program = join(folder, 'program')
    writeFileSync(program, `#!/bin/sh\ntouch '${folder}/owned'\n`)
    chmodSync(program, 0o755)
    const signed = git('cat-file', 'commit', newer).replace('\n\n', '\ngpgsig x\n\n')
    writeFileSync(join(folder, 'signed'), `${signed}\n`)
    git('reset', '--quiet', git('hash-object', '-t', 'commit', '-w', 'signed'))
    for (const [name, value] of [
      ['log.showSignature', 'true'],
      ['gpg.program', program],
      ['core.pager', program],
      ['core.fsmonitor', program],
      ['core.sshCommand', program],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
    ] as const) {
      git('config', name, value)
    }
    expect(await announce(foreign)).toMatchObject({ message: 'feat: the newer' })
    const missing = { ...foreign, SHIPFEED_COMMIT: '0123456789abcdef0123456789abcdef01234567' }
    expect(await announce(missing)).toMatchObject({ message: 'engine 0123456 deployed' })
    expect(readdirSync(folder)).not.toContain('owned')
  })
})

/** Where the programs that the script needs are, and nothing else, such as git. */
function pathOfTools(): string {
  const path = join(directory.path, `${count}-tools`)
  mkdirSync(path)
  for (const tool of ['awk', 'curl', 'od', 'sed', 'sleep', 'tr']) {
    symlinkSync(Bun.which(tool) ?? '', join(path, tool))
  }
  return path
}

describe('without a title, the announcement says what is known', () => {
  const sha = '0cf03d32f7d99cf160d5375e8a40fbe3d910d515'
  const empty = temporaryDirectory()
  afterAll(empty.remove)
  const onGitHub = {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'ada/mono',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: sha,
  }

  test.each<[string, Environment]>([
    ['mono deployed', onGitHub],
    ['mono deployed to production', { ...onGitHub, SHIPFEED_ENVIRONMENT: 'production' }],
    ['mono v2.4.0 deployed', { ...onGitHub, GITHUB_REF: 'refs/tags/v2.4.0' }],
    [
      'mono v2 deployed to eu/staging',
      { ...onGitHub, SHIPFEED_VERSION: 'v2', SHIPFEED_ENVIRONMENT: 'eu/staging' },
    ],
    ['cf61e70 deployed', { SHIPFEED_COMMIT: 'cf61e70d9c' }],
    ['v2 deployed', { SHIPFEED_VERSION: 'v2' }],
    ['Deployed to production', { SHIPFEED_ENVIRONMENT: 'production' }],
    ['Deployed', {}],
    ['Deployed', { BUILD_TAG: 'jenkins-engine-9', BUILD_URL: 'https://jenkins.example/job/engine/9/' }],
  ])('%s', async (message, environment) => {
    const run = { ...environment, GITHUB_RUN_ID: crypto.randomUUID() }
    expect(await announce(run, { cwd: empty.path })).toMatchObject({ message })
  })

  testInShells('without git too, in %s', async (shell) => {
    const [program = '', ...words] = shell.split(' ')
    const inPath = [Bun.which(program), ...words].join(' ').replace('yash', Bun.which('yash') ?? '')
    const env = { PATH: pathOfTools(), ...onGitHub, GITHUB_RUN_ID: crypto.randomUUID() }
    expect(await announce(env, { shell: inPath })).toMatchObject({
      message: 'mono deployed',
      url: `https://github.com/ada/mono/commit/${sha}`,
      commit: sha,
    })
  })
})

test.each([
  ["Merge branch 'master' into fix\n\n# Conflicts:\n#\tsrc/lang/ga.json\n", "Merge branch 'master' into fix"],
  ["Merge branch 'master' into fix\n\nConflicts:\n\tsrc/a.c\n", "Merge branch 'master' into fix"],
  ['Merge pull request #7 from ada/x\n\nfix: it\n\n# Conflicts:\n#\tsrc/a.c\n', 'fix: it'],
  ['Merge pull request #7 from ada/x\n\n# Conflicts of interest', '# Conflicts of interest'],
])('the title of a merge is no list of conflicts: %p', async (message, title) => {
  commit(message)
  expect(await announce({})).toMatchObject({ message: title })
})

test('a title that git stores in another encoding is announced in UTF-8', async () => {
  writeFileSync(join(folder, 'message'), Buffer.from('fix: déjà vu', 'latin1'))
  git('-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '--quiet', '--allow-empty', '--file', 'message')
  expect(await announce({})).toMatchObject({ message: 'fix: déjà vu' })
})
