import { Html } from '@elysiajs/html'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Operator } from './operator.tsx'

type Props = {
  site: Site
  viewer: null
  username: string
  problem: string | null
  /** What was done before, such as deleting an account. */
  notice: string | null
  next: string | null
}

export function SignInPage({ site, viewer, username, problem, notice, next }: Props): JSX.Element {
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
          {next !== null && <input type="hidden" name="next" value={attribute(next)} />}
          <Field
            name="username"
            label="Username"
            value={username}
            autocomplete="username"
            autofocus={username === '' && notice === null}
            reasons={{}}
          />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            autofocus={username !== ''}
            reasons={{}}
          />
          <button class="primary" type="submit">
            Sign in
          </button>
        </Form>
        <p class="hint">
          Forgotten your password? Ask <Operator site={site} /> for a link to choose a new one.
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
