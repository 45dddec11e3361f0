import { Html } from '@elysiajs/html'
import { choiceOf } from '../../src/badge/badge.ts'
import { AbuseReportPage } from '../../src/capabilities/abuse-reports/page.tsx'
import { AllEnvironmentsPage, EnvironmentsPage } from '../../src/capabilities/environments/page.tsx'
import { PublishersPanel } from '../../src/capabilities/publishers/page.tsx'
import { EnvironmentsWall } from '../../src/capabilities/wall/environments.tsx'
import { WallPage } from '../../src/capabilities/wall/page.tsx'
import { environmentTable } from '../../src/domain/environment/board.ts'
import { anyTime } from '../../src/domain/feed/time-range.ts'
import { PasswordLinkPage } from '../../src/views/account/password-link-page.tsx'
import { SignInPage } from '../../src/views/account/sign-in-page.tsx'
import { SignUpPage } from '../../src/views/account/sign-up-page.tsx'
import { EmbedPage } from '../../src/views/badge/embed-panel.tsx'
import { DeploymentPage } from '../../src/views/deployment/deployment-page.tsx'
import { DocsPage } from '../../src/views/docs/docs-page.tsx'
import { sectionsWith } from '../../src/views/docs/docs-text.ts'
import { FeedPage } from '../../src/views/feed/feed-page.tsx'
import { ProblemPage } from '../../src/views/page/problem-page.tsx'
import { freshForm } from '../../src/views/parts/form-fields.tsx'
import { ProfilePage } from '../../src/views/profile/profile-page.tsx'
import { ProjectPage } from '../../src/views/profile/project-page.tsx'
import type { ShownPanel } from '../../src/views/settings/section.ts'
import { SettingsPage } from '../../src/views/settings/settings-page.tsx'
import { TokensPage } from '../../src/views/settings/tokens.tsx'
import { configurationOf } from '../support/configuration.ts'
import { deployment, now, overview, settings, site } from './samples.ts'

const hostile = `"'></title><script>alert(1)</script><b onclick=x style=y>&lt;`
const mallory = { id: 3, username: 'mallory', name: hostile }
const deployments = [deployment(), deployment({ id: 411, message: hostile, category: null, poster: mallory })]
const list = { site, now, by: {}, time: anyTime, deployments, older: 3, newer: null }
const feed = { ...list, before: null, hours: [] }
const newest = { seen: 412 }
const hostileOverview = { ...overview, targets: [{ target: hostile, deployedAt: now }] }
const nothing = { days: [], firstDay: null, firstAnnouncedDay: null, recent: [], targets: [], now }
const releasedTo = (environment: string) => {
  const live = deployment({ message: hostile, version: hostile, environment })
  return { deployment: live, recent: [{ ...live, version: 'other' }] }
}
const table = environmentTable(
  ['staging', 'production', hostile, `${hostile} too`].map((environment) => ({
    ...{ target: hostile, ...releasedTo(environment) },
  })),
  3,
)
const boardOfMany = { site, now, table, seen: 412, board: { projects: [], environment: null } }
const chosen = { projects: [{ username: 'mallory', scope: hostile }], environment: hostile }
const hostileEnvironments = [releasedTo('staging'), releasedTo('production'), releasedTo(hostile)]
const profile = {
  ...list,
  user: mallory,
  target: null,
  on: null,
  since: now,
  environments: ['staging', hostile],
  withdrawn: true,
  year: 'list' as const,
}
const newestOfUser = { ...newest, overview: hostileOverview }
const token = {
  lastFour: 'kQzB',
  createdAt: now,
  lastUsedAt: now,
  lastUsedFrom: hostile,
  endsOn: '2026-03-20',
  old: null,
}
const old = { lastFour: '9aBc', expiresAt: now, lastUsedAt: new Date(now.getTime() + 1) }
const session = { hash: 'another', device: hostile, createdAt: now, lastSeenAt: now }
const reasons = { username: [hostile], name: [hostile] }
const typed = { name: hostile, username: hostile, repository: hostile, workflow: hostile }
const gitHub = { address: 'https://token.actions.githubusercontent.com', kind: 'github' } as const
const trusting = { ...site, issuers: [gitHub] }

const { configured } = configurationOf({ WEBHOOKS: 'public', OIDC_ISSUERS: 'https://gitlab.example.org' })
const added = configured.flatMap(({ docs: text }) => text ?? [])
const publisher = {
  ...{ id: 1, issuer: hostile, repository: hostile, workflow: hostile, environment: hostile },
  lastUsedAt: null,
}
const publishersPanel: ShownPanel = {
  id: 'publishers',
  name: hostile,
  show: (panel) => <PublishersPanel {...panel} publishers={[publisher]} showsSteps />,
}

const docs = {
  site,
  added,
  sections: sectionsWith(added),
  perMinute: 60,
  maxBodyBytes: 65_536,
  picture: () => 'data:,',
  scriptSha256: '0'.repeat(64),
}
const embed = {
  site,
  user: mallory,
  targets: [hostile],
  target: hostile,
  environments: [hostile],
  choice: choiceOf({ style: 'square', show: 'age', label: hostile }),
}

/** Every page, empty and full, and every text a person can set is hostile in the full ones. */
export const everyPage: readonly (readonly [string, JSX.Element])[] = [
  ['the feed', <FeedPage {...feed} {...newest} viewer={mallory} />],
  [
    'a report',
    <AbuseReportPage
      {...{ site, viewer: null, isSent: false }}
      deployment={deployment({ message: hostile, poster: mallory })}
      form={{
        typed: { reason: hostile, text: hostile },
        reasons: { reason: [hostile], text: [hostile] },
        problem: hostile,
      }}
    />,
  ],
  ['an older page of the feed', <FeedPage {...feed} before={9} viewer={null} />],
  ['the empty feed', <FeedPage {...feed} {...newest} viewer={null} deployments={[]} older={null} />],
  ['a profile', <ProfilePage {...profile} {...newestOfUser} viewer={null} />],
  ['an older page of a profile', <ProfilePage {...profile} overview={null} viewer={null} />],
  [
    'the own, empty profile',
    <ProfilePage
      {...profile}
      {...newest}
      viewer={mallory}
      overview={nothing}
      deployments={[]}
      older={null}
    />,
  ],
  ['a day of a profile', <ProfilePage {...profile} on={20_000} overview={hostileOverview} viewer={null} />],
  [
    'a project',
    <ProjectPage
      {...profile}
      {...newestOfUser}
      viewer={null}
      target={hostile}
      board={hostileEnvironments}
      live={hostileEnvironments.map(({ deployment }) => deployment)}
    />,
  ],
  [
    'an older page of a project',
    <ProjectPage {...profile} overview={null} viewer={null} target={hostile} board={[]} live={[]} />,
  ],
  [
    'a day of a host without any',
    <ProjectPage
      {...profile}
      viewer={null}
      target="ada.dev"
      board={[]}
      live={[]}
      on={1}
      overview={hostileOverview}
      deployments={[]}
      older={null}
    />,
  ],
  [
    'a deployment',
    <DeploymentPage
      {...{ site, now, viewer: null, target: null, before: null, after: null, token: null }}
      deployment={deployment({ url: null })}
    />,
  ],
  [
    'the own deployment',
    <DeploymentPage
      {...{ site, now, viewer: mallory, target: hostile, token: hostile }}
      before={{ id: 3, message: hostile, deployedAt: now }}
      after={{ id: 413, message: hostile, deployedAt: now }}
      deployment={deployment({ message: `${hostile}\n\n${hostile}`, poster: mallory })}
    />,
  ],
  ['sign in', <SignInPage site={site} form={freshForm} notice={hostile} next={null} />],
  [
    'sign in again',
    <SignInPage
      site={site}
      form={{ typed: { username: hostile }, reasons: {}, problem: hostile }}
      notice={null}
      next={hostile}
    />,
  ],
  ['sign up', <SignUpPage site={site} form={freshForm} />],
  [
    'sign up again',
    <SignUpPage
      site={site}
      form={{
        typed: { username: hostile, name: hostile },
        reasons: { ...reasons, password: [hostile] },
        problem: hostile,
      }}
    />,
  ],
  [
    'a new account by a link',
    <PasswordLinkPage
      site={{ ...site, operatorContact: hostile }}
      username="mallory"
      isNew
      otherAccess=""
      form={{
        typed: { link: hostile, name: hostile },
        reasons: { name: [hostile], password: [hostile] },
      }}
    />,
  ],
  [
    'a new password by a link',
    <PasswordLinkPage
      site={site}
      username="mallory"
      isNew={false}
      otherAccess="API tokens"
      form={{ typed: { link: 'x', end_tokens: 'yes' }, reasons: {} }}
    />,
  ],
  ['the settings', <SettingsPage {...settings} />],
  ...(['profile', 'publishers', 'delete'] as const).map(
    (panel) =>
      [
        `the full settings with a refused form for ${panel}`,
        <SettingsPage
          {...settings}
          site={trusting}
          viewer={mallory}
          token={{ ...token, old }}
          sessions={[{ ...session, hash: settings.sessionHash }, session]}
          refusals={[{ status: 422, reason: hostile, source: hostile, token: hostile, refusedAt: now }]}
          sections={[publishersPanel]}
          refused={{ panel, typed, reasons }}
        />,
      ] as const,
  ),
  ['the settings of a newcomer', <SettingsPage {...settings} checklist={{ first: null }} />],
  [
    'the settings of a newcomer whose calls are refused',
    <SettingsPage
      {...settings}
      token={token}
      newToken="ship_x"
      checklist={{ first: null }}
      refusals={[{ status: 422, reason: hostile, source: hostile, token: hostile, refusedAt: now }]}
    />,
  ],
  [
    'the settings with the first deployment',
    <SettingsPage {...settings} token={token} checklist={{ first: deployment({ message: hostile }) }} />,
  ],
  ['the settings after a form', <SettingsPage {...settings} notice={{ panel: 'profile', text: hostile }} />],
  ['the settings with a new token', <SettingsPage {...settings} token={token} newToken="ship_x" />],
  [
    'the tokens',
    <TokensPage
      targets={['github.com/ada/engine']}
      {...{ site, now, newToken: null, notice: null, asksPassword: true }}
      viewer={mallory}
      tokens={[
        {
          ...token,
          ...{ id: 1, name: hostile, targets: [hostile], environments: [hostile] },
          may: ['announce', 'read'],
          old,
        },
      ]}
      left={[{ ...old, id: 2, name: hostile }]}
      refused={{
        of: 'new',
        typed: { name: hostile, targets: hostile, environments: hostile, ends: hostile, announce: 'on' },
        reasons: { name: [hostile], may: [hostile] },
      }}
    />,
  ],
  [
    'the tokens of a newcomer, with a new one',
    <TokensPage
      targets={['github.com/ada/engine']}
      {...{ site, now, notice: null, asksPassword: false, refused: null }}
      newToken={{ secret: 'ship_x', name: 'engine' }}
      viewer={mallory}
      tokens={[]}
      left={[]}
    />,
  ],
  [
    'a problem',
    <ProblemPage
      site={site}
      viewer={null}
      code="not_found"
      status={404}
      message={hostile}
      heading={null}
      search={hostile}
    />,
  ],
  [
    'a wallboard',
    <WallPage
      {...{ site, now, deployments, seen: 412, tally: { from: now.getTime(), counts: [1, 0, 2] } }}
      part={{ username: 'mallory', target: hostile, by: { category: 'feature', environment: hostile } }}
      targets={[{ target: hostile, deployedAt: now }]}
    />,
  ],
  [
    'the environments of a user',
    <EnvironmentsPage {...{ site, now, table, user: mallory }} viewer={null} seen={412} />,
  ],
  [
    'a wallboard of environments',
    <EnvironmentsWall {...{ site, now, table, seen: 412 }} part={{ username: 'mallory', target: hostile }} />,
  ],
  ['the environments of all', <AllEnvironmentsPage {...boardOfMany} viewer={null} missing={[]} />],
  [
    'the environments of chosen projects, of which nothing is live',
    <AllEnvironmentsPage
      {...boardOfMany}
      viewer={mallory}
      table={environmentTable([], 8)}
      board={chosen}
      missing={chosen.projects}
    />,
  ],
  ['a wallboard of the environments of all', <EnvironmentsWall {...boardOfMany} board={chosen} />],
  ['the docs', <DocsPage {...docs} viewer={null} />],
  ['the docs of somebody', <DocsPage {...docs} viewer={mallory} />],
  ['a badge to copy', <EmbedPage {...embed} viewer={null} />],
]
