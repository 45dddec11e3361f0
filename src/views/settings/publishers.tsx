import { Html } from '@elysiajs/html'
import { type Issuer, issuerName } from '../../domain/publisher/issuer.ts'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { Age } from '../parts/time.tsx'
import { AddPublisher, type NewPublisher } from './add-publisher.tsx'

export type PublisherRow = {
  readonly id: number
  readonly issuer: string
  readonly repository: string
  readonly workflow: string | null
  readonly environment: string | null
  readonly lastUsedAt: Date | null
}

type Props = NewPublisher & {
  now: Date
  publishers: readonly PublisherRow[]
  notice: string | null
}

const hint =
  'Pipelines that announce without a secret: they prove who they are, and get a token of 15 minutes. It does nothing else.'

export function PublishersPanel({ now, publishers, notice, ...add }: Props): JSX.Element {
  return (
    <Panel id="publishers" title="Trusted publishers" hint={hint}>
      {publishers.length > 0 && (
        <ul>
          {publishers.map((publisher) => (
            <PublisherItem publisher={publisher} issuers={add.issuers} now={now} />
          ))}
        </ul>
      )}
      <AddPublisher {...add} />
      <Notice text={notice} />
    </Panel>
  )
}

type ItemProps = { publisher: PublisherRow; issuers: readonly Issuer[]; now: Date }

function PublisherItem({ publisher, issuers, now }: ItemProps): JSX.Element {
  const { id, repository, lastUsedAt } = publisher
  return (
    <li class="row">
      <span>
        <code safe>{repository}</code> <span class="hint" safe>{`· ${detailsOf(publisher, issuers)}`}</span>
        <span class="hint">
          {' '}
          ·{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Age then={lastUsedAt} now={now} />
            </>
          )}
        </span>
      </span>
      <Form action={`/settings/publishers/${id}/delete`} within="publishers">
        <button type="submit">
          Remove<span class="unseen" safe>{` ${repository}`}</span>
        </button>
      </Form>
    </li>
  )
}

/** What has to be so besides the repository. */
function detailsOf({ issuer, workflow, environment }: PublisherRow, issuers: readonly Issuer[]): string {
  const known = issuers.find(({ address }) => address === issuer)
  return [
    // One that the operator took out since is still told.
    known === undefined ? `${issuer}, which is not trusted any more` : issuerName(known),
    ...(workflow === null ? [] : [workflow]),
    ...(environment === null ? [] : [`in ${environment}`]),
  ].join(' · ')
}
