import { Html, type PropsWithChildren } from '@elysiajs/html'
import { longestLabel } from '../../badge/badge.ts'
import type { BadgeStyle } from '../../badge/styles.ts'
import type { User } from '../../domain/account/user.ts'
import { toleranceMinutes } from '../../domain/announcement/announcement.ts'
import { acceptedEvents } from '../../domain/announcement/cdevent.ts'
import { withdrawableHours } from '../../domain/deployment.ts'
import { importLimits } from '../../domain/import.ts'
import { keptCalls, mostWaiting } from '../../domain/intake/intake.ts'
import { issuerName } from '../../domain/publisher/issuer.ts'
import { environmentRule } from '../../domain/release.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { mostHops } from '../../domain/webhook/hops.ts'
import { keptDeliveries, oldSecretHours } from '../../domain/webhook/webhook.ts'
import { badgeFormats, badgeSnippet, formatNames, offeredChoice } from '../badge/snippets.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { inDigits } from '../parts/numbers.ts'
import {
  curlHistoryScript,
  curlWithForm,
  curlWithHistory,
  curlWithJson,
  pinned,
  pipelineSnippets,
  secretlessSnippets,
} from '../parts/pipeline-snippets.ts'
import { Snippet, SnippetTabs } from '../parts/snippet.tsx'
import { Answer, problemExamples, RateHeaders, recorded } from './answers.tsx'
import { type BadgePicture, BadgeStates, OwnBadge, StateBadge } from './badges.tsx'
import { CategoryNames, Readings } from './categories.tsx'
import { curlWithEvent, tektonStep } from './cdevents.ts'
import docs from './docs.md' with { type: 'text' }
import { fill, sectionsOf, type Values } from './markdown.ts'
import receiver from './receiver.txt' with { type: 'text' }
import { tryTimes } from './receiving.ts'

type Props = {
  site: Site
  viewer: User | null
  /** The number of announcements accepted from a user in a minute; 0 means no limit. */
  perMinute: number
  maxBodyBytes: number
  picture: BadgePicture
  /** The SHA-256 of the script that this server serves to pipelines. */
  scriptSha256: string
}

const sections = sectionsOf(docs)

/** The documentation on one page, written in docs.md; tests compare it with the behaviour of the service. */
export function DocsPage(props: Props): JSX.Element {
  const { site, viewer } = props
  const values = valuesOf(props)
  const isHidden: Readonly<Record<string, boolean>> = {
    'without-a-secret': site.issuers.length === 0,
    webhooks: !site.hasWebhooks,
  }
  const shown = sections.filter(({ id }) => isHidden[id] !== true)
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
            {shown.map(({ id, heading }) => (
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
          {shown.map((section, n) => (
            <Chapter {...section} isOpen={n === 0}>
              {fill(section, values)}
            </Chapter>
          ))}
        </article>
      </div>
    </Layout>
  )
}

type ChapterProps = PropsWithChildren<{ id: string; heading: string; isOpen: boolean }>

/** The first section is open, the rest is for reference. Browsers open it for a link to its id, or to one within. */
function Chapter({ id, heading, isOpen, children }: ChapterProps): JSX.Element {
  return (
    <details class="chapter" open={isOpen}>
      <summary>
        <h2 safe>{heading}</h2>
      </summary>
      <div class="stack" id={id}>
        {children}
      </div>
    </details>
  )
}

const signUpStep = '<li><a href="/sign-up">Create an account</a>.</li>'
const readByAll = 'Everything on the feed can be read without a token, from any page or program.'
const readByMembers =
  'Only members may read here. Programs send “Authorization: Bearer” with a token that may read. For lists, streams, feeds and wallboards, they may add “?key=” with a read key instead. You make both in the settings.'

function valuesOf({ site, viewer, perMinute, maxBodyBytes, picture, scriptSha256 }: Props): Values {
  const { baseUrl, audience, issuers, membersOnly } = site
  const username = viewer?.username ?? 'ada'
  const api = `${baseUrl}/api/deployments`
  const secretless = secretlessSnippets({ baseUrl, audience, username })
  const example = (style: BadgeStyle) => (
    <StateBadge picture={picture} status="Fresh" style={style} alt={`The ${style} style`} />
  )
  return {
    texts: {
      baseUrl,
      audience,
      username,
      acceptedEvents,
      environmentRule,
      issuers: list.format(issuers.map(issuerName)),
      reading: membersOnly ? readByMembers : readByAll,
      toleranceMinutes: inDigits(toleranceMinutes),
      withdrawableHours: inDigits(withdrawableHours),
      maxMessageBytes: inDigits(textBounds.message),
      maxUrlCharacters: inDigits(textBounds.link),
      maxVersionCharacters: inDigits(textBounds.version),
      maxBodyBytes: inDigits(maxBodyBytes),
      maxKeyCharacters: inDigits(textBounds.key),
      longestLabel: inDigits(longestLabel),
      historyItems: inDigits(importLimits.items),
      historyBytes: inDigits(importLimits.bytes),
      historyOfUser: inDigits(importLimits.ofUser),
      historyADay: inDigits(importLimits.aDay),
      historyASecond: inDigits(importLimits.aSecond),
      mostWaiting: inDigits(mostWaiting),
      keptCalls: inDigits(keptCalls),
      keptDeliveries: inDigits(keptDeliveries),
      oldSecretHours: inDigits(oldSecretHours),
      tryTimes,
      mostHops: inDigits(mostHops),
      announcementsPerMinute: perMinute === 0 ? 'no limit' : `${inDigits(perMinute)} per user in any minute`,
    },
    parts: {
      signUpStep: viewer === null && site.registrationOpen ? signUpStep : '',
      pipelines: <SnippetTabs name="pipeline" legend="Where it runs" snippets={pipelineSnippets(baseUrl)} />,
      withFormFields: <Snippet id="with-form-fields" label="With form fields" code={curlWithForm(baseUrl)} />,
      asJson: <Snippet id="as-json" label="As JSON" code={curlWithJson(baseUrl)} />,
      pinnedScript: <Snippet id="pinned-script" label="In any shell" code={pinned(baseUrl, scriptSha256)} />,
      secretless: <SnippetTabs name="secretless" legend="Where it runs" snippets={secretless} />,
      historyScript: (
        <Snippet id="history-script" label="In a checkout" code={curlHistoryScript(baseUrl)} isOneLine />
      ),
      history: <Snippet id="add-history" label="Two releases" code={curlWithHistory(baseUrl)} />,
      categories: <CategoryNames />,
      readings: <Readings />,
      cdevent: <Snippet id="cdevent" label="An event" code={curlWithEvent(baseUrl)} />,
      cdeventTekton: <Snippet id="cdevent-tekton" label="From a step of Tekton" code={tektonStep(baseUrl)} />,
      answer: <Answer {...recorded} />,
      problems: <>{problemExamples({ perMinute, maxBodyBytes }).map(Answer)}</>,
      rateHeaders: <RateHeaders perMinute={perMinute} />,
      states: <BadgeStates picture={picture} />,
      ownBadge: viewer === null ? '' : <OwnBadge username={username} />,
      squareBadge: example('square'),
      dotBadge: example('dot'),
      embed: formatNames
        .map((format) => {
          const code = badgeSnippet(format, baseUrl, { ...offeredChoice, username, target: null })
          return <Snippet id={`embed-${format}`} label={badgeFormats[format].name} code={code} />
        })
        .join(''),
      purge: <Snippet code="curl -X PURGE https://camo.githubusercontent.com/…" />,
      receiver: <Snippet id="receiver" label="A receiver, in Node.js" code={receiver.trimEnd()} />,
      list: <Snippet id="list" label="List" code={`curl "${api}?user=${username}&limit=10"`} />,
      stream: <Snippet id="stream" label="Stream" code={`curl -N "${api}/live?user=${username}"`} />,
    },
  }
}

/** British, because American lists have a comma before "and". */
const list = new Intl.ListFormat('en-GB')
