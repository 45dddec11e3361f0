import { Html } from '@elysiajs/html'
import { longestLabel } from '../../badge/badge.ts'
import type { BadgeStyle } from '../../badge/styles.ts'
import { toleranceMinutes } from '../../domain/announcement/announcement.ts'
import { withdrawableHours } from '../../domain/deployment.ts'
import { environmentRule } from '../../domain/environment/environment.ts'
import { projectRule } from '../../domain/target.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { badgeFormats, badgeSnippet, formatNames, offeredChoice } from '../badge/snippets.ts'
import { Layout } from '../page/layout.tsx'
import type { PageProps } from '../page/site.ts'
import { inDigits } from '../parts/numbers.ts'
import { curlWithForm, curlWithJson, pinned, pipelineSnippets } from '../parts/pipeline-snippets.ts'
import { Snippet, SnippetTabs } from '../parts/snippet.tsx'
import { Answer, problemExamples, RateHeaders, recorded } from './answers.tsx'
import { type BadgePicture, BadgeStates, ExampleBadge, OwnBadge } from './badges.tsx'
import { CategoryNames, Readings } from './categories.tsx'
import type { DocsText } from './docs-text.ts'
import { fill, type Section, type Values } from './markdown.ts'

type Props = PageProps & {
  /** The number of announcements accepted from a user in a minute; 0 means no limit. */
  perMinute: number
  maxBodyBytes: number
  picture: BadgePicture
  /** The SHA-256 of the script that this server serves to pipelines. */
  scriptSha256: string
  /** What capabilities add, and the sections with it. */
  added: readonly DocsText[]
  sections: readonly Section[]
}

/** The documentation on one page, of the core and of capabilities; tests compare it with the behaviour of the service. */
export function DocsPage(props: Props): JSX.Element {
  const { site, viewer, sections } = props
  const values = valuesOf(props)
  return (
    <Layout
      site={site}
      viewer={viewer}
      title="Docs"
      current="docs"
      canonical="/docs"
      description="How to announce a deployment to Shipfeed and how to embed its badge."
    >
      <div class="docs-columns">
        <nav class="contents" aria-label="Contents">
          <ul>
            {sections.map(({ id, heading }) => (
              <li>
                <a href={`#${id}`} safe>
                  {heading}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <article class="docs">
          <h1>Docs</h1>
          {/* The first section is open, the rest is for reference. Browsers open one for a link to an id in it. */}
          {sections.map((section, n) => (
            <details class="chapter" open={n === 0}>
              <summary>
                <h2 safe>{section.heading}</h2>
              </summary>
              <div class="stack" id={section.id}>
                {fill(section, values)}
              </div>
            </details>
          ))}
        </article>
      </div>
    </Layout>
  )
}

const signUpStep = '<li><a href="/sign-up">Create an account</a>.</li>'
const readByAll = 'Everything on the feed can be read without a token, from any page or program.'
const readByMembers =
  'Only members may read here. Programs send “Authorization: Bearer” with a token that may read. For lists, streams, feeds and wallboards, they may add “?key=” with a read key instead. You make both in the settings.'

function valuesOf({ site, viewer, perMinute, maxBodyBytes, picture, scriptSha256, added }: Props): Values {
  const { baseUrl, membersOnly } = site
  const username = viewer?.username ?? 'ada'
  const api = `${baseUrl}/api/deployments`
  const ofAdded = added.map(({ values }) => values?.({ baseUrl, username }) ?? {})
  const example = (style: BadgeStyle) => (
    <ExampleBadge picture={picture} example="Fresh" style={style} alt={`The ${style} style`} />
  )
  return {
    texts: {
      ...Object.assign({}, ...ofAdded.map(({ texts }) => texts)),
      baseUrl,
      username,
      environmentRule,
      projectRule,
      reading: membersOnly ? readByMembers : readByAll,
      toleranceMinutes: inDigits(toleranceMinutes),
      withdrawableHours: inDigits(withdrawableHours),
      maxMessageBytes: inDigits(textBounds.message),
      maxUrlCharacters: inDigits(textBounds.link),
      maxVersionCharacters: inDigits(textBounds.version),
      maxActorCharacters: inDigits(textBounds.actor),
      maxBodyBytes: inDigits(maxBodyBytes),
      maxKeyCharacters: inDigits(textBounds.key),
      longestLabel: inDigits(longestLabel),
      announcementsPerMinute: perMinute === 0 ? 'no limit' : `${inDigits(perMinute)} per user in any minute`,
    },
    parts: {
      ...Object.assign({}, ...ofAdded.map(({ parts }) => parts)),
      signUpStep: viewer === null && site.registrationOpen ? signUpStep : '',
      pipelines: <SnippetTabs name="pipeline" legend="Where it runs" snippets={pipelineSnippets(site)} />,
      withFormFields: <Snippet id="with-form-fields" label="With form fields" code={curlWithForm(baseUrl)} />,
      asJson: <Snippet id="as-json" label="As JSON" code={curlWithJson(baseUrl)} />,
      pinnedScript: <Snippet id="pinned-script" label="In any shell" code={pinned(baseUrl, scriptSha256)} />,
      categories: <CategoryNames />,
      readings: <Readings />,
      answer: <Answer {...recorded} />,
      problems: <>{problemExamples({ perMinute, maxBodyBytes }).map(Answer)}</>,
      rateHeaders: <RateHeaders perMinute={perMinute} />,
      states: <BadgeStates picture={picture} />,
      ownBadge: viewer === null ? '' : <OwnBadge username={username} />,
      squareBadge: example('square'),
      dotBadge: example('dot'),
      environmentsBadge: (
        <ExampleBadge picture={picture} example="environments" alt="staging v3.2, production v3.0" />
      ),
      embed: formatNames
        .map((format) => {
          const code = badgeSnippet(format, baseUrl, { ...offeredChoice, username, target: null })
          return <Snippet id={`embed-${format}`} label={badgeFormats[format].name} code={code} />
        })
        .join(''),
      purge: <Snippet code="curl -X PURGE https://camo.githubusercontent.com/…" />,
      list: <Snippet id="list" label="List" code={`curl "${api}?user=${username}&limit=10"`} />,
      grafana: (
        <Snippet id="grafana-url" label="URL" code={`${api}?user=${username}&limit=100&${ofDashboard}`} />
      ),
      stream: <Snippet id="stream" label="Stream" code={`curl -N "${api}/live?user=${username}"`} />,
    },
  }
}

/** The time of a dashboard, which Grafana writes like 2020-07-13T20:19:09.254Z. */
const ofDashboard = `from=\${__timeFrom:date:iso}&to=\${__timeTo:date:iso}`
