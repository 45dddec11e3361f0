import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { headlineOf } from '../../domain/headline.ts'
import { maxReportCharacters, reportReasons } from '../../domain/report.ts'
import { deploymentAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { Form, firstInvalid, Notice, ReasonList, TextField } from '../parts/panels-and-forms.tsx'
import { Poster, Subject } from './labels.tsx'

/** The way to the form, at the foot of a deployment's page; empty if the server takes no reports. */
export function ReportLink({ site, address }: { site: Site; address: string }): JSX.Element {
  if (!site.takesReports) return ''
  return (
    <p class="hint report-link">
      <a href={`${address}/report`} rel="nofollow">
        Report to the operator
      </a>
    </p>
  )
}

type Props = {
  site: Site
  viewer: User | null
  deployment: Deployment
  /** Whether the report has just been sent. */
  isSent: boolean
  typed: { readonly reason: string; readonly text: string }
  reasons: Reasons
  /** A problem that belongs to no field. */
  problem: string | null
}

/** The form by which a reader tells the operator what is wrong with a deployment. */
export function ReportPage(props: Props): JSX.Element {
  const { site, viewer, deployment, isSent, typed, reasons, problem } = props
  const address = deploymentAddress(deployment)
  return (
    <Layout site={site} viewer={viewer} title="Report a deployment">
      <section class="panel stack entrance">
        <h1>Report a deployment</h1>
        <p>
          <a href={address}>
            <Subject headline={headlineOf(deployment.message)} />
          </a>{' '}
          by <Poster poster={deployment.poster} />
        </p>
        {problem !== null && (
          <p class="problem-note" role="alert" safe>
            {problem}
          </p>
        )}
        {isSent ? (
          <Notice text="Thank you. The operator of this server will see your report." />
        ) : (
          <Form action={`${address}/report`} within="main">
            <ReasonChoice chosen={typed.reason} reasons={reasons.reason ?? []} />
            <TextField
              name="text"
              label="More about it (optional)"
              value={typed.text}
              hint={`At most ${maxReportCharacters} characters. Only the operator of this server sees it, without your name or address.`}
              maxlength={maxReportCharacters}
              focused={firstInvalid(['reason', 'text'], reasons)}
              reasons={reasons}
              isOptional
            />
            <button class="primary" type="submit">
              Send report
            </button>
          </Form>
        )}
      </section>
    </Layout>
  )
}

function ReasonChoice({ chosen, reasons }: { chosen: string; reasons: readonly string[] }): JSX.Element {
  return (
    <div class="field">
      <label for="reason">Reason</label>
      <select
        id="reason"
        name="reason"
        autocomplete="off"
        autofocus={reasons.length > 0}
        aria-describedby={reasons.length === 0 ? undefined : 'reason-reasons'}
      >
        {Object.entries(reportReasons).map(([reason, words]) => (
          <option value={reason} selected={reason === chosen}>
            {words}
          </option>
        ))}
      </select>
      {reasons.length > 0 && <ReasonList id="reason-reasons" reasons={reasons} />}
    </div>
  )
}
