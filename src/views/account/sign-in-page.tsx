import { Html } from '@elysiajs/html'
import { Layout } from '../page/layout.tsx'
import { contactAddress, type Site } from '../page/site.ts'
import { escaped } from '../parts/escaping-and-templates.ts'
import { Form, Notice, TextField } from '../parts/panels-and-forms.tsx'

type Props = {
  site: Site
  viewer: null
  username: string
  problem: string | null
  /** What the visitor did just before, such as deleting an account. */
  notice: string | null
  next: string | null
}

export function SignInPage({ site, viewer, username, problem, notice, next }: Props): JSX.Element {
  const focused = username !== '' ? 'password' : notice === null ? 'username' : undefined
  return (
    <Layout site={site} viewer={viewer} title="Sign in">
      <section class="panel stack entrance">
        <h1>Sign in</h1>
        {notice !== null && <Notice text={notice} />}
        {problem !== null && (
          <p class="problem-note" role="alert" safe>
            {problem}
          </p>
        )}
        <Form action="/sign-in" within="main">
          {next !== null && <input type="hidden" name="next" value={escaped(next)} />}
          <TextField
            name="username"
            label="Username"
            value={username}
            autocomplete="username"
            focused={focused}
            reasons={{}}
          />
          <TextField
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            focused={focused}
            reasons={{}}
          />
          <button class="primary" type="submit">
            Sign in
          </button>
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

/** The operator of this server, with a link to reach them if a contact is configured. */
function Operator({ site: { operatorContact } }: { site: Site }): JSX.Element {
  if (operatorContact === null) return <>the operator of this server</>
  const href = contactAddress(operatorContact)
  if (href === null) return <span safe>{operatorContact}</span>
  return (
    <a href={escaped(href)} safe>
      {operatorContact}
    </a>
  )
}
