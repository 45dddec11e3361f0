import { Html } from '@elysiajs/html'
import { OpenGraph } from '../../views/deployment/link-preview.tsx'
import { projectAddress, underBasePath, withQuery } from '../../views/page/address.ts'
import { Layout } from '../../views/page/layout.tsx'
import type { PageProps, Site } from '../../views/page/site.ts'
import type { PageSlots } from '../../views/page/slots.ts'
import { escaped } from '../../views/parts/markup.ts'
import { changelogAddress, frameAddress } from './address.ts'
import { Entry } from './entries.tsx'
import type { Changelog } from './rules.ts'
import { changelogTitle, meaningOf, nameOfProject } from './shown.ts'

export const changelogLink: PageSlots = {
  besideProject: (username, target) => (
    <>
      {' '}
      · <a href={escaped(changelogAddress('page', { user: { username }, target }))}>Changelog</a>
    </>
  ),
}

export function ChangelogPage({ changelog, ...page }: PageProps & { changelog: Changelog }): JSX.Element {
  const { site } = page
  const newest = { ...changelog, before: null }
  const title = changelogTitle(changelog)
  const description = `${title}. ${meaningOf(changelog)}`
  const canonical = changelogAddress('page', changelog)
  return (
    <Layout
      {...{ ...page, title, description, canonical }}
      head={
        <>
          <Alternate type="application/atom+xml" name="Atom" href={changelogAddress('atom', newest)} />
          <Alternate type="text/markdown" name="Markdown" href={changelogAddress('markdown', changelog)} />
          <Alternate
            type="application/json+oembed"
            name={title}
            href={withQuery('/oembed', {
              url: site.baseUrl + changelogAddress('page', newest),
              format: 'json',
            })}
          />
          <OpenGraph
            {...{ site, title, description }}
            address={site.baseUrl + canonical}
            pictured={site.baseUrl + projectAddress(changelog.user.username, changelog.target)}
          />
        </>
      }
    >
      <article class="changelog">
        <Head changelog={changelog} />
        <p class="hint changelog-forms">
          <a href={escaped(changelogAddress('markdown', changelog))}>Markdown</a> ·{' '}
          <a href={escaped(changelogAddress('atom', newest))}>Atom</a> ·{' '}
          <a href={escaped(frameAddress(newest))}>To embed</a>
        </p>
        <Entries changelog={changelog} page="" />
      </article>
    </Layout>
  )
}

/** The same as a page for frames on other sites, without navigation, scripts or forms. Its links open elsewhere. */
export function ChangelogFrame({ site, changelog }: { site: Site; changelog: Changelog }): JSX.Element {
  const page = changelogAddress('page', changelog)
  return underBasePath(
    site.baseUrl,
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title safe>{changelogTitle(changelog)}</title>
        <base target="_blank" />
        <link rel="canonical" href={escaped(site.baseUrl + page)} />
        <link rel="icon" href={site.assets.favicon} type="image/svg+xml" />
        <link rel="stylesheet" href={site.assets.css} />
      </head>
      <body>
        <main class="changelog in-frame">
          <Head changelog={changelog} />
          <Entries changelog={changelog} page={page} />
        </main>
      </body>
    </html>,
  )
}

function Alternate({ type, name, href }: Readonly<Record<'type' | 'name' | 'href', string>>): JSX.Element {
  return <link rel="alternate" type={type} title={escaped(name)} href={escaped(href)} />
}

function Head({ changelog }: { changelog: Changelog }): JSX.Element {
  const { user, target } = changelog
  return (
    <header>
      <p class="owner">
        <a class="quiet" href={escaped(projectAddress(user.username, target))}>
          <bdi dir="ltr" safe>
            {nameOfProject(changelog)}
          </bdi>
        </a>
      </p>
      <h1>Changelog</h1>
      <p class="hint" safe>
        {meaningOf(changelog)}
      </p>
    </header>
  )
}

type EntriesProps = { changelog: Changelog; page: string }

function Entries({ changelog, page }: EntriesProps): JSX.Element {
  const { entries, older } = changelog
  return (
    <>
      {entries.map((entry) => (
        <Entry {...{ entry, page }} />
      ))}
      {entries.length === 0 && (
        <p class="hint">
          Nothing to tell here: changes by bots, and work such as <code>chore</code>, are left out.
        </p>
      )}
      {older !== null && (
        <nav class="older" aria-label="Pages">
          <a class="button" href={escaped(changelogAddress('page', { ...changelog, before: older }))}>
            Older versions
          </a>
        </nav>
      )}
    </>
  )
}
