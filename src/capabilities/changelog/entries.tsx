import { Html } from '@elysiajs/html'
import { withSingleBlanks } from '../../views/deployment/body.tsx'
import { Line, sideOf } from '../../views/deployment/labels.tsx'
import { Prose } from '../../views/deployment/prose.ts'
import { deploymentAddress } from '../../views/page/address.ts'
import { escaped } from '../../views/parts/markup.ts'
import { Day } from '../../views/parts/time-element.tsx'
import { type Change, type ChangelogEntry, sections } from './rules.ts'
import { nameOf } from './shown.ts'

type EntryProps = {
  entry: ChangelogEntry
  /** What stands before the anchor of an entry in its address. */
  page: string
}

/** A version or a day under its heading, which is a link to it. */
export function Entry({ entry, page }: EntryProps): JSX.Element {
  const { anchor, version, since } = entry
  return (
    <section class="changelog-entry" aria-labelledby={escaped(anchor)}>
      <h2 id={escaped(anchor)}>
        <a href={escaped(`${page}#${anchor}`)}>
          <bdi safe>{nameOf(entry)}</bdi>
        </a>
        {version !== null && <Day instant={since} />}
      </h2>
      <EntryContent entry={entry} />
    </section>
  )
}

type ContentProps = { entry: ChangelogEntry; baseUrl?: string }

/** What an entry says below its heading. With `baseUrl`, its addresses are absolute. */
export function EntryContent({ entry: { notes, sections: told }, baseUrl = '' }: ContentProps): JSX.Element {
  return (
    <>
      {notes.map((text) => (
        <Text text={text} />
      ))}
      {told.map(({ name, changes }) => (
        <>
          <h3 class={name}>{sections[name].title}</h3>
          <ul class="changes">
            {changes.map((change) => (
              <ChangeItem change={change} baseUrl={baseUrl} />
            ))}
          </ul>
        </>
      ))}
    </>
  )
}

function ChangeItem({ change, baseUrl }: { change: Change; baseUrl: string }): JSX.Element {
  const { deployment, title, body, isBreaking } = change
  return (
    <li class={sideOf(title).trim() || undefined}>
      <p class="change">
        {isBreaking && <strong>Breaking: </strong>}
        <a href={escaped(baseUrl + deploymentAddress(deployment))}>
          <Line line={title} />
        </a>
      </p>
      {body !== '' && <Text text={body} />}
    </li>
  )
}

function Text({ text }: { text: string }): JSX.Element {
  return (
    <div class="prose">
      <Prose text={withSingleBlanks(text)} />
    </div>
  )
}
