import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { headlineOf } from '../../domain/message/headline.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { Poster, Subject } from '../../views/deployment/labels.tsx'
import { deploymentAddress } from '../../views/page/address.ts'
import { Layout } from '../../views/page/layout.tsx'
import type { PageProps } from '../../views/page/site.ts'
import type { PageSlots } from '../../views/page/slots.ts'
import { Form, Notice } from '../../views/parts/form.tsx'
import { type FormState, ProblemNote, SelectField, TextField } from '../../views/parts/form-fields.tsx'
import { reportReasons } from './rules.ts'

/** The way to the form, at the foot of a deployment's page. */
export const reportLink: PageSlots = {
  underDeployment: (deployment, viewer) =>
    viewer?.id === deployment.poster.id ? (
      ''
    ) : (
      <p class="hint report-link">
        <a href={`${deploymentAddress(deployment)}/report`} rel="nofollow">
          Report to the operator
        </a>
      </p>
    ),
}

type Props = PageProps & {
  deployment: Deployment
  /** Whether the report has just been sent. */
  isSent: boolean
  form: FormState
}

export function AbuseReportPage(props: Props): JSX.Element {
  const { site, viewer, deployment, isSent, form } = props
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
        <ProblemNote problem={form.problem} />
        {isSent ? (
          <Notice text="Thank you. The operator of this server will see your report." />
        ) : (
          <Form action={`${address}/report`} within="main" button="Send report" look="primary">
            <SelectField form={form} name="reason" label="Reason" options={Object.entries(reportReasons)} />
            <TextField
              form={form}
              name="text"
              label="More about it (optional)"
              hint={`At most ${textBounds.report} characters. Only the operator of this server sees it, without your name or address.`}
              maxlength={textBounds.report}
              isOptional
            />
          </Form>
        )}
      </section>
    </Layout>
  )
}
