import { Html } from '@elysiajs/html'
import { Layout } from '../page/layout.tsx'
import { contactAddress, type Site } from '../page/site.ts'
import { Form, Notice } from '../parts/form.tsx'
import { type FormState, ProblemNote, TextField } from '../parts/form-fields.tsx'
import { escaped } from '../parts/markup.ts'

type Props = {
  site: Site
  form: FormState
  /** What the visitor did just before, such as deleting an account. */
  notice: string | null
  next: string | null
}

export function SignInPage({ site, form, notice, next }: Props): JSX.Element {
  const focused = form.typed.username ? 'password' : 'username'
  const shown = notice === null || form.typed.username ? { ...form, focused } : form
  return (
    <Layout site={site} viewer={null} title="Sign in">
      <section class="panel stack entrance">
        <h1>Sign in</h1>
        {site.membersOnly && (
          <p class="hint">This server is for its members: sign in to see what they ship.</p>
        )}
        {notice !== null && <Notice text={notice} />}
        <ProblemNote problem={form.problem} />
        <Form action="/sign-in" within="main" button="Sign in" look="primary">
          {next !== null && <input type="hidden" name="next" value={escaped(next)} />}
          <TextField form={shown} name="username" label="Username" autocomplete="username" />
          <TextField form={shown} name="password" label="Password" autocomplete="current-password" />
        </Form>
        <p class="hint">
          Forgot your password? Ask <Operator site={site} /> for a link to choose a new one.
        </p>
        {site.registrationOpen && (
          <p class="hint">
            New here? <a href="/sign-up">Create an account</a>
          </p>
        )}
      </section>
    </Layout>
  )
}

function Operator({ site: { operatorContact } }: { site: Site }): JSX.Element {
  if (operatorContact === null) return <>the operator of this server</>
  const href = contactAddress(operatorContact)
  if (href === null) return <span safe>{operatorContact}</span>
  return <a href={escaped(href)}>{escaped(operatorContact)}</a>
}
